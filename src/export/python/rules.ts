// Applying a rule to a URL, in Python: as `rule/apply` and `rule/condition`, on bytes.

export const rulesInPython = String.raw`
class Limits:
    """Where a rule holds: where one of "only" is met, if there are any, and none of "never"; not of its exceptions."""

    def __init__(self, only=(), never=(), exceptions=()):
        self.only, self.never, self.exceptions = only, never, frozenset(exceptions)

    def hold(self, form):
        if form in self.exceptions:
            return False
        for part, text in self.never:
            if _meets(form, part, text):
                return False
        if not self.only:
            return True
        for part, text in self.only:
            if _meets(form, part, text):
                return True
        return False


def _meets(form, part, text):
    start = _path_start(form)
    if part == "host":
        scheme = _HTTP.match(form)
        host = form[scheme.end() : start] if scheme else b""
        return host[host.rfind(b"@") + 1 :] == text
    if part == "text":
        return text in form[start:]
    path, question, query = form[start:].partition(b"?")
    if part in ("parameter", "field"):
        fields = [match[0][1:] for match in _PATH_FIELD.finditer(path)]
        names = [match[1] for match in _PATH_FIELD.finditer(path)]
        if question:
            in_query = query.replace(b";", b"&").split(b"&")
            fields += in_query
            if not _is_bare(query):
                names += [field.partition(b"=")[0] for field in in_query]
        return text in (fields if part == "field" else names)
    if part == "fields":
        return sum(field != b"" for field in query.replace(b";", b"&").split(b"&")) == text
    segments = [segment.partition(b";")[0] for segment in (path or b"/").split(b"/")[1:]]
    if part == "depth":
        return sum(segment != b"" for segment in segments) == text
    if part == "extension":
        last = segments[-1]
        dot = last.rfind(b".", 1)
        return (last[dot + 1 :] if dot > 0 else b"") == text
    return text in {"first": segments[:1], "last": segments[-1:], "segment": segments}[part]


def _is_bare(query):
    """A query of one field without "=" has no parameter."""
    return b"=" not in query and sum(field != b"" for field in query.replace(b";", b"&").split(b"&")) == 1


# What a rule does to a URL.


def _always(form):
    return True


def _is_cut(form, start, at):
    return at in (start, len(form)) or not (form[at - 1] in _RUN and form[at] in _RUN)


class Substring:
    """"text" becomes "to" at the leftmost place where it stands as whole tokens."""

    def __init__(self, site, text, image, anchor, **limits):
        self.site, self.text, self.to, self.limits = site, text, image, Limits(**limits)
        self.at_start, self.at_end = anchor in ("start", "both"), anchor in ("end", "both")
        # Where the image has the text in itself: such a place has been replaced already.
        self.inside = [at for at in range(len(image) - len(text) + 1) if self._stands(image, 0, at, text)]

    def condition(self):
        if PATH_FORM or not self.text:
            return self.text, _always
        before, after = [rb"(?<![0-9A-Za-z\x80-\xff])", rb"(?![0-9A-Za-z\x80-\xff])"]
        start = rb"\A" if self.at_start else before if self.text[0] in _RUN else b""
        end = rb"\Z" if self.at_end else after if self.text[-1] in _RUN else b""
        search = re.compile(start + re.escape(self.text) + end).search
        if self.at_start or any(byte in _RUN for byte in self.text):
            return self.text, search
        # Signs of the scheme and the host stay, such as the : of http://.
        return self.text, lambda form: search(form, max(0, _path_start(form) - len(self.text) + 1))

    def image(self, form):
        if self.text not in form or not _CLEAN.match(self.to):
            return form
        start = _path_start(form) if PATH_FORM else 0
        path = _path_start(form)
        for at in self._places(form, start):
            if not self._stands(form, start, at, self.text) or self._is_result(form, start, at):
                continue
            image = form[:at] + self.to + form[at + len(self.text) :]
            if at > path or self._keeps_beginning(form, image, at, start, path):
                return image
        return form

    def _keeps_beginning(self, form, image, at, start, path):
        """The image is a URL of the same scheme and host, unless a letter or digit of them is what goes."""
        if start > 0:
            return at > start or image[start : start + 1] == b"/"
        if path == 0:
            return image[:1] == b"/"
        if any(byte in _RUN for byte in form[at : min(at + len(self.text), path)]):
            return _begins_url(image)
        return image[:path] == form[:path] and image[path : path + 1] in (b"", b"/", b"?")

    def _places(self, form, start):
        if not self.text:
            yield from [start] if self.at_start else [len(form)] if self.at_end else []
            return
        at = form.find(self.text, start)
        while at >= 0:
            yield at
            at = form.find(self.text, at + 1)

    def _is_result(self, form, start, at):
        return any(self._stands(form, start, at - shift, self.to) for shift in self.inside)

    def _stands(self, form, start, at, part):
        stop = at + len(part)
        if at < start or stop > len(form) or form[at:stop] != part:
            return False
        if (self.at_start and at != start) or (self.at_end and stop != len(form)):
            return False
        return _is_cut(form, start, at) and _is_cut(form, start, stop)


class Parameter:
    """The parameter of that name goes ("remove"), or gets one value ("set"), or none ("bare")."""

    def __init__(self, site, name, action, value=b"", scope="site", path=b"", **limits):
        self.site, self.name, self.removes, self.limits = site, name, action == "remove", Limits(**limits)
        self.put = name if action == "bare" else name + b"=" + value
        self.scope, self.path = scope, path

    def condition(self):
        field = rb"[?&;]" + re.escape(self.name) + rb"(?=[=&;]|\Z)"
        return self.name, re.compile(field).search if self.name else _always

    def image(self, form):
        if self.name not in form or not self._holds(form):
            return form
        start = _path_start(form)
        path, question, query = form[start:].partition(b"?")
        puts = [] if self.removes else [self.put]

        def edit(field):
            if field[1] != self.name:
                return field[0]
            return b";" + puts.pop() if puts else b""

        path = _PATH_FIELD.sub(edit, path)
        return form[:start] + path + (self._edit_query(query, puts) if question else b"")

    def _edit_query(self, query, puts):
        fields = _split_query(query)
        if _is_bare(query):
            return b"?" + query
        edited, drops = [], False
        for separator, field in fields:
            if self.name and field.partition(b"=")[0] == self.name:
                drops = drops or not puts
                field = puts.pop() if puts else None
            edited.append((separator, field))
        if drops:
            edited = [entry for entry in edited if entry[1]]
        return _join_query(edited)

    def _holds(self, form):
        if self.scope == "site":
            return True
        scheme = _HTTP.match(form)
        if self.path[:2] == b"//":
            if not scheme:
                return False
            start = scheme.end() - 2
        else:
            start = _path_start(form)
        if not form.startswith(self.path, start):
            return False
        return self.scope == "prefix" or form[start + len(self.path) : start + len(self.path) + 1] in (b"", b";", b"?")


_SEPARATOR = re.compile(rb"([&;])")


def _split_query(query):
    """Fields, each with the separator before it."""
    parts = _SEPARATOR.split(query)
    return list(zip([b"&"] + parts[1::2], parts[::2]))


def _join_query(fields):
    text = b"".join(separator + field for separator, field in fields)
    return b"?" + text[1:] if text else b""


_SLASHES = re.compile(rb"//+")
_CASED = re.compile(rb"%[0-9A-Fa-f]{2}|[A-Z]+")
_END = re.compile(rb"/+((?:;[^/]*)?)\Z")
_NAME = re.compile(rb"(/[^/;.]+)((?:;[^/]*)?)\Z")
_SIGNS = b"!$'()*,:@"
_JUNK = frozenset(b"\"'\x60,;\\<>()[]{} \t\n\r")
_OPENING = {0x29: 0x28, 0x5D: 0x5B, 0x7D: 0x7B, 0x3E: 0x3C}


def _lower(text):
    return _CASED.sub(lambda part: part[0] if part[0][:1] == b"%" else part[0].lower(), text)


def _bare(text):
    def put(part):
        sign = bytes([int(part[0][1:], 16)])
        return sign if sign in _SIGNS else part[0]

    return _ESCAPE.sub(put, text)


# What a step can touch: a text that has to be there, and an expression that has to be found.
_TOUCHED = {
    "fold-slashes": (b"//", rb"\A/|\A[^/]*//[^/]*(?:/[^/]+)*//"),
    "drop-end-slash": (b"/", rb"/(?:;[^/?]*)?(?:\?|\Z)"),
    "add-end-slash": (b"/", rb"/[^/?;.]+(?:;[^/?]*)?(?:\?|\Z)"),
    "drop-empty-fields": (b"?", rb"[?&;=](?:[&;]|\Z)"),
    "drop-number-fields": (b"?", rb"[?&;][0-9]+(?:[&;]|\Z)"),
    "sort-fields": (b"?", rb"\?[^&;]*[&;]"),
    "one-separator": (b"?", rb"\?[^;]*;"),
    "unescape": (b"%", rb"%(?:2[14789ACac]|3[Aa]|40)"),
    "lower-case": (b"", rb"(?<!%)(?<!%[0-9A-F])[A-Z]|%(?![0-9A-Fa-f]{2})"),
}


class Step:
    """A step of normalization that holds for the site."""

    def __init__(self, site, step, text, **limits):
        self.site, self.text, self.limits = site, text, Limits(**limits)
        self.step, self._take = step, getattr(self, "_" + step.replace("-", "_"))

    def condition(self):
        if self.step == "trim-end":
            return b"", self._ends_in_junk
        if self.step == "drop-repeated-fields":
            return b"?", self._repeats_a_field
        text, expression = _TOUCHED.get(self.step, (self.text, rb""))
        return text, re.compile(expression).search

    def _repeats_a_field(self, form):
        fields = form.partition(b"?")[2].replace(b";", b"&").split(b"&")
        return len(set(fields)) < len(fields)

    def _ends_in_junk(self, form):
        return form[-1] in _JUNK or form[-1] == 0x2E or form[-3:-2] == b"%"

    def image(self, form):
        start = _path_start(form)
        path, question, query = form[start:].partition(b"?")
        path, query = self._take(path, question + query)
        return form[:start] + path + query

    def _fold_slashes(self, path, query):
        return _SLASHES.sub(b"/", path), query

    def _drop_end_slash(self, path, query):
        end = _END.search(path)
        name = path[: end.start()].rpartition(b"/")[2] if end else b""
        return (path[: end.start()] + end[1] if name[:1] not in (b"", b";") else path), query

    def _add_end_slash(self, path, query):
        return _NAME.sub(lambda name: name[1] + b"/" + name[2], path), query

    def _drop_segment(self, path, query):
        short = re.sub(rb"/" + re.escape(self.text) + rb"(?=[/;]|\Z)", b"", path)
        return (short if short == path or short[:1] == b"/" else b"/" + short), query

    def _drop_last_segment(self, path, query):
        head, slash, last = path.rpartition(b"/")
        name, semicolon, rest = last.partition(b";")
        return (head + slash + semicolon + rest if slash and name == self.text else path), query

    def _lower_case(self, path, query):
        if not self.text:
            return _lower(path), query
        path = _PATH_FIELD.sub(self._lower_field, path)
        if not query or _is_bare(query[1:]):
            return path, query
        fields = _split_query(query[1:])
        lowered = [
            (separator, self.text + _lower(field[len(self.text) :]) if field.partition(b"=")[0] == self.text else field)
            for separator, field in fields
        ]
        return path, b"?" + b"".join(separator + field for separator, field in lowered)[1:]

    def _lower_field(self, field):
        return b";" + self.text + _lower(field[0][len(self.text) + 1 :]) if field[1] == self.text else field[0]

    def _drop_empty_fields(self, path, query):
        return path, self._without(query, lambda field, before: not field or field.find(b"=") == len(field) - 1)

    def _drop_number_fields(self, path, query):
        if _is_bare(query[1:]):
            return path, query
        return path, self._without(query, lambda field, before: re.match(rb"[0-9]+\Z", field) is not None)

    def _drop_repeated_fields(self, path, query):
        return path, self._without(query, lambda field, before: field != b"" and field in before)

    def _without(self, query, goes):
        if not query:
            return query
        kept, before, drops = [], set(), False
        for separator, field in _split_query(query[1:]):
            if goes(field, before):
                drops = True
            else:
                kept.append((separator, field))
            before.add(field)
        return _join_query([entry for entry in kept if entry[1]]) if drops else query

    def _sort_fields(self, path, query):
        fields = _split_query(query[1:])
        separators = set(separator for separator, _ in fields[1:])
        if len(separators) != 1:
            return path, query
        ordered = sorted((field for _, field in fields), key=lambda field: field.partition(b"=")[0])
        return path, b"?" + separators.pop().join(ordered)

    def _one_separator(self, path, query):
        return path, query.replace(b";", b"&")

    def _unescape(self, path, query):
        return _bare(path), _bare(query)

    def _trim_end(self, path, query):
        text = path + query
        end = cut = len(text)
        while True:
            while cut > 1 and text[cut - 1] == 0x2E:
                cut -= 1
            start = cut - 3 if cut - 3 >= 1 and _ESCAPE.match(text, cut - 3) else cut - 1
            if start < 1 or not self._is_junk(text, start, cut):
                break
            end = cut = start
        return text[:end], b""

    def _is_junk(self, text, start, end):
        byte = int(text[start + 1 : end], 16) if end - start == 3 else text[start]
        if byte not in _JUNK:
            return False
        opens = _OPENING.get(byte)
        return opens is None or re.search(b"%(?i:" + b"%02x" % opens + b")|" + re.escape(bytes([opens])), text[:start]) is None
`;
