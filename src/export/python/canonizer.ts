// The canonizer in Python, on bytes and with the standard library only. It follows `canonize/canonizer` step by step:
// rounds through the rules of the form's site, preparation after each round, the least form of a cycle. Python is slow
// at loops and fast at whole strings: so one expression recognizes a URL that needs no preparation, and the index
// (`lookup`) leaves only the few rules that share a word with the URL.
import { headsInPython } from './heads.js';
import { lookupInPython } from './lookup.js';
import { placesInPython } from './places.js';
import { rulesInPython } from './rules.js';

export const canonizerInPython = String.raw`
_HTTP = re.compile(rb"[Hh][Tt][Tt][Pp][Ss]?://")
_HEAD = re.compile(rb"[Hh][Tt][Tt][Pp][Ss]?://[^/?]*")
_CLEAN = re.compile(rb"[^\x00-\x20\x7f]*\Z")
_URL = re.compile(rb"(?:/|[Hh][Tt][Tt][Pp][Ss]?://)[^\x00-\x20\x7f]*\Z")
_URL_WITH_BLANKS = re.compile(rb"(?:/|[Hh][Tt][Tt][Pp][Ss]?://)[^\x00-\x1f\x7f]*\Z")
_TOKEN = re.compile(rb"%[0-9A-Fa-f]{2}|[0-9A-Za-z\x80-\xff]+|[^0-9A-Za-z\x80-\xff]")
_ESCAPE = re.compile(rb"%[0-9A-Fa-f]{2}")
_NEEDLESS_ESCAPE = re.compile(rb"%(?:2[DEde]|3[0-9]|4[1-9A-Fa-f]|5[0-9AFaf]|6[1-9A-Fa-f]|7[0-9AEae])")
_PATH_FIELD = re.compile(rb";([^;/=]+)=[^;/]*")

# Heads of URLs.

${headsInPython.trim()}


# A URL in normal form, unless it has a dot segment.
_PLAIN = re.compile(_USUAL + rb"[^\x00-\x20\x7f-\xff#%\\]*\Z")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_HEX = frozenset(b"0123456789ABCDEFabcdef")
_RUN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") | frozenset(range(128, 256))


def canonize(url):
    """Return the canonical form of a URL: what all URLs of its page have in common.

    Takes str or bytes, and returns the same type. Text that is not a URL, and a URL of a site that the rules are not
    for (SCOPE), comes back unchanged, as does None, for tables with holes.
    """
    if url is None:
        return None
    return _known(url) if len(url) <= _MAX_KNOWN else _canonize_text(url)


def _canonize_text(url):
    if isinstance(url, bytes):
        return _canonize(url)
    try:
        given = url.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return url
    form = _canonize(given)
    return url if form == given else form.decode("utf-8", "surrogateescape")


# A crawler finds links to the same page many times. Longer URLs are rare, and would fill the memory.
_MAX_KNOWN = 1024
_known = lru_cache(4096)(_canonize_text)


def _canonize(url):
    form = url if _PLAIN.match(url) and b"/." not in url else _prepare(url)
    if form is None:
        return url
    if SCOPE is not None and not _is_home(form):
        return url
    forms = [form]
    stop = len(RULES)
    for _ in range(MAX_ROUNDS):
        if len(form) > MAX_BYTES:
            return url
        image, last = _apply_rules(form, stop)
        if image is form:
            return form
        if len(image) > MAX_BYTES:
            return url
        prepared = _prepare(image)
        if prepared is None:
            return url
        if prepared in forms:
            return min(forms[forms.index(prepared) :], key=_size)
        forms.append(prepared)
        # Rules after the last one that changed something have already left this form alone.
        stop = last + 1 if prepared is image else len(RULES)
        form = prepared
    return url


def _apply_rules(form, stop):
    """Apply all rules of the site once, in rank order; return the form and the rank of the last rule that changed it.

    A rule may lead to another site, whose rules then go on from that rank. Rules from "stop" on are known to change
    nothing before others do.
    """
    last = -1
    while True:
        for rank, key, apply, adds in _rules_for(form):
            if rank <= last or key not in form:
                continue
            if rank >= stop:
                return form, last
            image = apply(form)
            if image is form:
                continue
            form, last, stop = image, rank, len(RULES)
            if len(form) > MAX_BYTES:
                return form, last
            if adds:
                break
        else:
            return form, last


def _size(form):
    text = form.decode("utf-8", "surrogateescape")
    return len(_TOKEN.findall(form)), len(text), text


def _begins_url(form):
    return form[:1] == b"/" or _HTTP.match(form) is not None


def _path_start(form):
    head = _HEAD.match(form)
    return head.end() if head else 0


# Preparation: fragment cut, then the safe normalisation.


def _prepare(form):
    """The form without fragment, in normal form; None if it is no URL, or has a host that browsers refuse."""
    if not (_URL_WITH_BLANKS if NORMALIZE else _URL).match(form):
        return None
    form = form.rstrip(b" ")
    if b"#" in form:
        form = form.partition(b"#")[0]
    if _USUAL_HEAD.match(form):
        head, rest = b"", form
        if form[:1] != b"/":
            path = form.index(b"/", 8)
            head, rest = form[:path], form[path:]
    else:
        match = _AUTHORITY.match(form)
        head, rest = _spelled_head(*match.groups()), form[match.end() :]
    if head is None or not NORMALIZE:
        return None if head is None else form
    spelled = _spelled(rest)
    return form if head == form[: len(form) - len(rest)] and spelled == rest else head + spelled


def _spelled(rest):
    if _RAW.search(rest):
        rest = _RAW.sub(_escaped, rest)
    if b"%" in rest:
        rest = _decode(rest)
    path, question, query = rest.partition(b"?")
    path = path.replace(b"\\", b"/") or b"/"
    return (_without_dots(path) if b"/." in path else path) + question + query


def _decode(text):
    if not _NEEDLESS_ESCAPE.search(text):
        return _ESCAPE.sub(_upper, text)
    text = _ESCAPE.sub(_upper, text)
    out = bytearray()
    at = 0
    while at < len(text):
        if not _ESCAPE.match(text, at):
            out.append(text[at])
            at += 1
            continue
        byte = int(text[at + 1 : at + 3], 16)
        # In %4%31 the 1 stays escaped, as %41 would be another character.
        revives = byte in _HEX and (out[-1:] == b"%" or (out[-2:-1] == b"%" and out[-1] in _HEX))
        if byte in _UNRESERVED and not revives:
            out.append(byte)
        else:
            out += text[at : at + 3]
        at += 3
    return bytes(out)


def _upper(escape):
    return escape[0].upper()


def _without_dots(path):
    kept = []
    segments = path.split(b"/")[1:]
    for number, segment in enumerate(segments, 1):
        if segment == b".." and kept:
            kept.pop()
        if segment not in (b".", b".."):
            kept.append(segment)
        elif number == len(segments):
            kept.append(b"")
    return b"".join(b"/" + segment for segment in kept)


${lookupInPython.trim()}


${placesInPython.trim()}


${rulesInPython.trim()}
`;
