// How is a rule applied to a URL in Python? As in `rule/apply`, on bytes. Each kind of rule has a fast path for the
// common case: a text that its own replacement does not contain, or fields with one kind of separator.

export const rulesInPython = String.raw`
# Rules: "apply" is called for forms that contain "key". A rule without "adds" only removes whole fields, so its image has no new word.


def _limits(only=(), never=(), exceptions=()):
    return Limits(only, never, exceptions) if only or never or exceptions else None


def _is_cut(form, start, at):
    """True if a token can start or end here: neither between two letters or digits nor inside of an escape."""
    if at in (start, len(form)) or form[at] not in _RUN:
        return True
    if form[at - 1] not in _RUN:
        return not _ESCAPE.match(form, at - 1)
    return at >= start + 3 and _ESCAPE.match(form, at - 3) is not None


_CUT_BEFORE_WORD = rb"(?:(?<![0-9A-Za-z\x80-\xff])(?!(?<=%)[0-9A-Fa-f]{2})|(?<=%[0-9A-Fa-f]{2}))"


def _cut_after(text):
    """What has to follow a text, for its last token to end there."""
    if text[-1:] == b"%":
        return rb"(?![0-9A-Fa-f]{2})"
    is_word = text[-1] in _RUN and not _ESCAPE.match(text, max(0, len(text) - 3))
    return rb"(?![0-9A-Za-z\x80-\xff])" if is_word else b""


class Substring:
    """"text" becomes "to" at the leftmost place where it stands as whole tokens."""

    adds = True

    def __init__(self, site, text, image, anchor, **limits):
        self.site, self.key, self.text, self.to, self.limits = site, text, text, image, _limits(**limits)
        self.at_start, self.at_end = anchor in ("start", "both"), anchor in ("end", "both")
        # Offsets of "text" inside "to": a match there has been replaced already.
        self.inside = [at for at in range(len(image) - len(text) + 1) if self._stands(image, 0, at, text)]
        self.is_clean = _CLEAN.match(image) is not None
        # Both texts are the start of a URL: the rest of the URL stays.
        self.is_whole = self.at_start and _HTTP.match(text) is not None and _HTTP.match(image) is not None
        self.first = None if PATH_FORM or self.inside or not text or not self.is_clean else self._finder(text)

    def _finder(self, text):
        """A function that returns the first index of the text, or -1. The index may be in scheme and host."""
        size = len(text)
        # A % may go on as an escape.
        ends_word = text[-1] in _RUN or text[-1:] == b"%"
        begins_word = text[0] in _RUN
        if self.at_start and self.at_end:
            return lambda form: 0 if form == text else -1
        if self.at_start:
            if not ends_word:
                return lambda form: 0 if form.startswith(text) else -1
            return lambda form: 0 if form.startswith(text) and _is_cut(form, 0, size) else -1
        if self.at_end:
            if not begins_word:
                return lambda form: len(form) - size if form.endswith(text) else -1
            return lambda form: len(form) - size if form.endswith(text) and _is_cut(form, 0, len(form) - size) else -1
        if not ends_word and not any(byte in _RUN for byte in text):
            # Punctuation of the scheme and the host stays, such as the : of http://.
            return lambda form: form.find(text, max(0, _parts_of(form).start - size + 1))
        if not begins_word and not ends_word:
            return lambda form: form.find(text)
        before = _CUT_BEFORE_WORD if begins_word else b""
        search = re.compile(before + re.escape(text) + _cut_after(text)).search

        def first(form):
            place = search(form)
            return place.start() if place else -1

        return first

    def apply(self, form):
        if self.first is None:
            return self._try_places(form) if self.is_clean else form
        at = self.first(form)
        if at < 0:
            return form
        image = form[:at] + self.to + form[at + len(self.text) :]
        if not self.is_whole:
            path = _path_start(form)
            if at <= path and not self._keeps_beginning(form, image, at, 0, path):
                return self._try_places(form)
        if self.limits and not self.limits.hold(form):
            return form
        return form if image == form else image

    def _try_places(self, form):
        path = _path_start(form)
        start = path if PATH_FORM else 0
        for at in self._places(form, start):
            if not self._stands(form, start, at, self.text) or self._is_result(form, start, at):
                continue
            image = form[:at] + self.to + form[at + len(self.text) :]
            if at > path or self._keeps_beginning(form, image, at, start, path):
                return form if image == form or (self.limits and not self.limits.hold(form)) else image
        return form

    def _keeps_beginning(self, form, image, at, start, path):
        """True if the image keeps scheme and host. They may change only if the rule removes a letter or digit from them."""
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
    """Removes a parameter ("remove"), or sets it to one value ("set") or to no value ("bare")."""

    def __init__(self, site, name, action, value=b"", scope="site", path=b"", **limits):
        self.site, self.key, self.name, self.limits = site, name, name, _limits(**limits)
        self.removes = action == "remove"
        self.adds = not self.removes
        self.put = name if action == "bare" else name + b"=" + value
        self.start = name + b"="
        self.scope, self.path = scope, path
        self.search = re.compile(rb"[?&;]" + re.escape(name) + rb"(?=[=&;]|\Z)").search

    def apply(self, form):
        name = self.name
        if not name or not self.search(form):
            return form
        if (self.scope != "site" and not self._holds(form)) or (self.limits and not self.limits.hold(form)):
            return form
        path, question, query = form.partition(b"?")
        if b";" in path:
            return self._edit_all(form)
        separator = b"&"
        if b";" in query:
            if b"&" in query:
                return self._edit_all(form)
            separator = b";"
        if b"=" not in query and _is_bare(query):
            return form
        start = self.start
        fields = query.split(separator)
        if self.removes:
            kept = [field for field in fields if not field.startswith(start) and field != name]
            drops = len(kept) < len(fields)
            if not drops:
                return form
        else:
            kept, puts, drops = [], [self.put], False
            for field in fields:
                if field != name and not field.startswith(start):
                    kept.append(field)
                elif puts:
                    kept.append(puts.pop())
                else:
                    drops = True
        if drops and b"" in kept:
            kept = [field for field in kept if field]
        image = path + question + separator.join(kept) if kept else path
        return form if image == form else image

    def _edit_all(self, form):
        """The same, for fields with both separators, and in paths."""
        start = _path_start(form)
        path, question, query = form[start:].partition(b"?")
        puts = [] if self.removes else [self.put]

        def edit(field):
            if field[1] != self.name:
                return field[0]
            return b";" + puts.pop() if puts else b""

        path = _PATH_FIELD.sub(edit, path)
        image = form[:start] + path + (self._edit_query(query, puts) if question else b"")
        return form if image == form else image

    def _edit_query(self, query, puts):
        fields = _split_query(query)
        if _is_bare(query):
            return b"?" + query
        edited, drops = [], False
        for separator, field in fields:
            if field.partition(b"=")[0] == self.name:
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


# What a form needs for a step to change it: a text, and an expression that matches.
_TOUCHED = {
    "drop-end-slash": (b"/", rb"/(?:;[^/?]*)?(?:\?|\Z)"),
    "add-end-slash": (b"/", rb"/[^/?;.]+(?:;[^/?]*)?(?:\?|\Z)"),
    "drop-empty-fields": (b"?", rb"[?&;=](?:[&;]|\Z)"),
    "drop-number-fields": (b"?", rb"[?&;][0-9]+(?:[&;]|\Z)"),
    "sort-fields": (b"?", rb"\?[^&;]*[&;]"),
    "sort-values": (b"?", rb"\?[^&;]*[&;]"),
    "one-separator": (b"?", rb"\?[^;]*;"),
    "unescape": (b"%", rb"%(?:2[14789ACac]|3[Aa]|40)"),
}


def _has_slashes(form):
    """True if two slashes in a row follow the scheme, whose own slashes end before the eighth byte."""
    return form.find(b"//", 0 if form[:1] == b"/" else 7) >= 0


def _has_capitals(form):
    return not form.islower() or b"%" in form


def _repeats_a_field(form):
    query = form.partition(b"?")[2]
    if not query:
        return False
    fields = query.replace(b";", b"&").split(b"&")
    return len(set(fields)) < len(fields)


def _ends_in_junk(form):
    return form[-1] in _JUNK or form[-1] == 0x2E or form[-3:-2] == b"%"


_MAY_TOUCH = {
    "fold-slashes": _has_slashes,
    "lower-case": _has_capitals,
    "drop-repeated-fields": _repeats_a_field,
    "trim-end": _ends_in_junk,
}


class Step:
    """A step of normalization that holds for the site."""

    def __init__(self, site, step, text, **limits):
        self.site, self.text, self.limits = site, text, _limits(**limits)
        self.adds = step not in ("drop-empty-fields", "drop-number-fields", "drop-repeated-fields")
        self._take = getattr(self, "_" + step.replace("-", "_"))
        self.key, expression = _TOUCHED.get(step, (text, rb""))
        self.touches = _MAY_TOUCH.get(step) or re.compile(expression).search

    def apply(self, form):
        if not self.touches(form):
            return form
        if self.limits and not self.limits.hold(form):
            return form
        start = _path_start(form)
        path, question, query = form[start:].partition(b"?")
        path, query = self._take(path, question + query)
        image = form[:start] + path + query
        return form if image == form else image

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
        return path, self._without(query, lambda field, before: field != b"" and before.get(field.partition(b"=")[0]) == field)

    def _without(self, query, goes):
        if not query:
            return query
        kept, before, drops = [], {}, False
        for separator, field in _split_query(query[1:]):
            if goes(field, before):
                drops = True
            else:
                kept.append((separator, field))
            if field:
                before[field.partition(b"=")[0]] = field
        return _join_query([entry for entry in kept if entry[1]]) if drops else query

    def _sort_fields(self, path, query):
        fields = _split_query(query[1:])
        separators = set(separator for separator, _ in fields[1:])
        if len(separators) != 1:
            return path, query
        ordered = sorted((field for _, field in fields), key=lambda field: field.partition(b"=")[0])
        return path, b"?" + separators.pop().join(ordered)

    def _sort_values(self, path, query):
        fields, values = _split_query(query[1:]), {}
        for _, field in fields:
            values.setdefault(field.partition(b"=")[0], []).append(field)
        for some in values.values():
            some.sort(reverse=True)
        ordered = [(separator, values[field.partition(b"=")[0]].pop()) for separator, field in fields]
        return path, b"?" + b"".join(separator + field for separator, field in ordered)[1:]

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


def _unescaped(text):
    return _ESCAPE.sub(lambda escape: bytes([int(escape[0][1:], 16)]), text)


class Items:
    """The items of the lists at a place, such as "?tags ,", are sorted, or repeated ones are dropped."""

    adds = True

    def __init__(self, site, step, place, **limits):
        self.site, self.limits, self.drops = site, _limits(**limits), step == "drop-repeated-items"
        where, self.separator, *heads = place.split(b" ")
        self.heads = frozenset(_unescaped(head) for head in heads)
        is_field = where[:1] == b"?"
        is_below = not is_field and self.separator == b"/"
        # An escaped slash does not end a segment.
        escape = b"" if is_below else b"|(?i:%%%02x)" % self.separator[0]
        self.splitter = re.compile(b"([" + re.escape(self.separator) + b"]" + escape + b")")
        self.is_repeated = is_field and self.separator == b"&"
        name = where if is_below else where[1:] if is_field else where[1:-1]
        self.key = re.split(rb"(?<=\[)|(?<=%5[bB])", name)[0]
        # Any number may follow a bracket.
        named = b"".join(
            re.escape(part) + (rb"[0-9]*" if re.search(rb"(?:\[|%5[bB])\Z", part) and not rest[:1].isdigit() else b"")
            for part, rest in self._cut(name)
        )
        if is_field:
            value = rb")(=[^&;]*|(?![^&;]))" if self.is_repeated else rb"=)([^&;]+)"
            self.in_path = None if self.is_repeated else re.compile(b"(;%s=)([^;/]+)" % named)
            self.in_query = re.compile(rb"((?:^\?|[&;])" + named + value)
        else:
            self.in_path = re.compile(b"^(%s)(.*[^/])" % named if is_below else b"(/%s/)([^/]+)" % named, re.DOTALL)
            self.in_query = None

    @staticmethod
    def _cut(name):
        """The parts of the name up to each bracket, with what follows."""
        ends = [bracket.end() for bracket in re.finditer(rb"\[|%5[bB]", name)]
        return [(name[start:end], name[end:]) for start, end in zip([0] + ends, ends + [len(name)])]

    def apply(self, form):
        if self.key not in form:
            return form
        if self.limits and not self.limits.hold(form):
            return form
        start = _path_start(form)
        path, question, query = form[start:].partition(b"?")
        query = question + query
        if self.in_path:
            path = self.in_path.sub(self._change, path)
        if self.is_repeated:
            values = iter(self._arranged([field[2] for field in self.in_query.finditer(query)]))
            query = self.in_query.sub(lambda field: self._put(field[1], next(values)), query)
        elif self.in_query:
            query = self.in_query.sub(self._change, query)
        image = form[:start] + path + query
        return form if image == form else image

    def _change(self, found):
        pieces = self.splitter.split(found[2])
        if (not self.heads and b"" in pieces) or (self.separator != b";" and b";" in found[2]):
            return found[0]
        marks, items, other = [], [], found[1]
        for mark, piece in zip([b""] + pieces[1::2], pieces[::2]):
            if not self.heads or _unescaped(piece) in self.heads:
                marks.append(other + mark)
                items.append(piece)
                other = b""
            elif items:
                items[-1] += mark + piece
            else:
                other += mark + piece
        return b"".join(self._put(mark, item) for mark, item in zip(marks, self._arranged(items))) + other

    def _arranged(self, items):
        """The items in order, or with None in place of repeated ones."""
        if not self.drops:
            return sorted(items, key=lambda item: (_unescaped(item), item))
        seen = set()
        return [None if _unescaped(item) in seen else (seen.add(_unescaped(item)), item)[1] for item in items]

    @staticmethod
    def _put(mark, item):
        return b"" if item is None else mark + item
`;
