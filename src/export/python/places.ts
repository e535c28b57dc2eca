// Where does a rule hold, in Python? As in `rule/condition`. A form is split once for all rules with conditions, and
// only as far as the conditions need.

export const placesInPython = String.raw`
class Parts:
    """The parts of a form, each computed when it is first needed."""

    def __init__(self, form):
        self.form = form
        self.start = _path_start(form)
        self.path, self.question, self.query = form[self.start :].partition(b"?")

    def __getattr__(self, name):
        value = _PARTS[name](self)
        setattr(self, name, value)
        return value


def _host_part(parts):
    scheme = _HTTP.match(parts.form)
    host = parts.form[scheme.end() : parts.start] if scheme else b""
    return host[host.rfind(b"@") + 1 :]


def _parameter_part(parts):
    names = [match[1] for match in _PATH_FIELD.finditer(parts.path)]
    if parts.question and not _is_bare(parts.query):
        names += [field.partition(b"=")[0] for field in parts.in_query]
    return names


def _field_part(parts):
    fields = [match[0][1:] for match in _PATH_FIELD.finditer(parts.path)]
    return fields + parts.in_query if parts.question else fields


def _extension_part(parts):
    last = parts.segment[-1]
    dot = last.rfind(b".", 1)
    return last[dot + 1 :] if dot > 0 else b""


_PARTS = {
    "host": _host_part,
    "in_query": lambda parts: parts.query.replace(b";", b"&").split(b"&"),
    "parameter": _parameter_part,
    "field": _field_part,
    "fields": lambda parts: sum(field != b"" for field in parts.in_query),
    "segment": lambda parts: [segment.partition(b";")[0] for segment in (parts.path or b"/").split(b"/")[1:]],
    "depth": lambda parts: sum(segment != b"" for segment in parts.segment),
    "extension": _extension_part,
}

# "text in parts.form" comes first: it is fast, and often makes the rest unnecessary.
_MEETS = {
    "query": lambda parts, text: parts.question and text in parts.query,
    "text": lambda parts, text: parts.form.find(text, parts.start) >= 0,
    "parameter": lambda parts, text: text in parts.form and text in parts.parameter,
    "field": lambda parts, text: text in parts.form and text in parts.field,
    "fields": lambda parts, count: parts.fields == count,
    "first": lambda parts, text: text in parts.form and text in parts.segment[:1],
    "last": lambda parts, text: text in parts.form and text in parts.segment[-1:],
    "segment": lambda parts, text: text in parts.form and text in parts.segment,
    "depth": lambda parts, count: parts.depth == count,
    "extension": lambda parts, text: text in parts.form and parts.extension == text,
}

_last_parts = Parts(b"")


def _parts_of(form):
    global _last_parts
    parts = _last_parts
    if parts.form is not form:
        parts = _last_parts = Parts(form)
    return parts


class Limits:
    """True if a rule holds for a form: one of "only" is met (if there are any), none of "never", and it is no exception."""

    def __init__(self, only=(), never=(), exceptions=()):
        # There may be thousands of hosts.
        self.hosts = frozenset(text for part, text in only if part == "host")
        self.other_hosts = frozenset(text for part, text in never if part == "host")
        self.only = [(_MEETS[part], text) for part, text in only if part != "host"]
        self.never = [(_MEETS[part], text) for part, text in never if part != "host"]
        self.is_everywhere = not only
        self.exceptions = frozenset(exceptions)

    def hold(self, form):
        if form in self.exceptions:
            return False
        parts = _parts_of(form)
        if self.other_hosts and parts.host in self.other_hosts:
            return False
        for meets, text in self.never:
            if meets(parts, text):
                return False
        if self.is_everywhere or parts.host in self.hosts:
            return True
        return any(meets(parts, text) for meets, text in self.only)


def _is_bare(query):
    """A query of one field without "=" has no parameter."""
    return b"=" not in query and sum(field != b"" for field in query.replace(b";", b"&").split(b"&")) == 1
`;
