// The canonizer in Python, on bytes and with the standard library only. It follows `canonize/canonizer` step by step:
// rounds through the rules of the form's site, preparation after each round, the least form of a cycle. Python is slow
// at loops and fast at whole strings: so one expression recognizes a URL that needs no preparation, and the index
// (`lookup`) leaves only the few rules that share a word with the URL.
import { lookupInPython } from './lookup.js';
import { placesInPython } from './places.js';
import { rulesInPython } from './rules.js';

export const canonizerInPython = String.raw`
_HTTP = re.compile(rb"[Hh][Tt][Tt][Pp][Ss]?://")
_HEAD = re.compile(rb"[Hh][Tt][Tt][Pp][Ss]?://[^/?]*")
_USUAL_HEAD = re.compile(rb"https?://[0-9a-z-]+(?:\.[0-9a-z-]+)*(?::(?!80/|443/)[0-9]+)?/|/")
# A URL without fragment and escapes, with a normalized scheme and host.
_PLAIN = re.compile(rb"(?:https?://[0-9a-z-]+(?:\.[0-9a-z-]+)*(?::(?!80/|443/)[0-9]+)?)?/[^\x00-\x20\x7f#%]*\Z")
_CLEAN = re.compile(rb"[^\x00-\x20\x7f]*\Z")
_URL = re.compile(rb"(?:/|[Hh][Tt][Tt][Pp][Ss]?://)[^\x00-\x20\x7f]*\Z")
_TOKEN = re.compile(rb"%[0-9A-Fa-f]{2}|[0-9A-Za-z\x80-\xff]+|[^0-9A-Za-z\x80-\xff]")
_ESCAPE = re.compile(rb"%[0-9A-Fa-f]{2}")
_NEEDLESS_ESCAPE = re.compile(rb"%(?:2[DEde]|3[0-9]|4[1-9A-Fa-f]|5[0-9AFaf]|6[1-9A-Fa-f]|7[0-9AEae])")
_SMALL_ESCAPE = re.compile(rb"%(?:[a-f][0-9A-Fa-f]|[0-9A-F][a-f])")
_PATH_FIELD = re.compile(rb";([^;/=]+)=[^;/]*")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_HEX = frozenset(b"0123456789ABCDEFabcdef")
_RUN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") | frozenset(range(128, 256))


def canonize(url):
    """The canonical form of a URL (str or bytes). Text that is not a URL, or a URL of another site, comes back unchanged."""
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
    if _PLAIN.match(url) and b"/." not in url:
        form = url
    elif _URL.match(url):
        form = _prepare(url)
    else:
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


# Preparation: fragment cut, then the safe normalisation of RFC 3986.


def _prepare(form):
    if b"#" in form:
        form = form.partition(b"#")[0]
    if not NORMALIZE or (b"%" not in form and b"/." not in form and _USUAL_HEAD.match(form)):
        return form
    return _normalize(form)


def _normalize(form):
    is_escaped = b"%" in form and (_NEEDLESS_ESCAPE.search(form) or _SMALL_ESCAPE.search(form))
    if not is_escaped and b"/." not in form and _USUAL_HEAD.match(form):
        return form
    scheme = _HTTP.match(form)
    if scheme:
        start = scheme.end()
        path_start = _path_start(form)
        start += form[start:path_start].rfind(b"@") + 1
        if b"%" in form:
            form = form[:start] + _decode(form[start:])
            path_start = _path_start(form)
        host, path = form[start:path_start], form[path_start:]
        port_at = _port_at(host)
        port = host[port_at:]
        host = re.sub(rb"%[0-9A-F]{2}|[A-Z]+", lambda part: part[0] if part[0][:1] == b"%" else part[0].lower(), host[:port_at])
        if host and port in (b":", b":80" if scheme.end() == 7 else b":443"):
            port = b""
        has_host = host + port != b""
        head = form[: scheme.end()].lower() + form[scheme.end() : start] + host + port
    elif form[:1] == b"/":
        head, path, has_host = b"", _decode(form) if b"%" in form else form, False
    else:
        return form
    path, question, query = path.partition(b"?")
    if b"/." in path:
        path = _without_dots(path)
    return head + (path or (b"/" if has_host else b"")) + question + query


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


def _port_at(host):
    if host[:1] == b"[":
        at = host.find(b"]") + 1
        if at == 0 or host[at : at + 1] != b":":
            return len(host)
    else:
        at = host.find(b":")
        if at < 0:
            return len(host)
    return at if re.match(rb"[0-9]*\Z", host[at + 1 :]) else len(host)


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


class RequestFingerprinter:
    """For REQUEST_FINGERPRINTER_CLASS of Scrapy: requests with the same canonical form have the same fingerprint."""

    @classmethod
    def from_crawler(cls, crawler):
        return cls()

    def __init__(self):
        from scrapy.utils.request import fingerprint

        self._fingerprint = fingerprint

    def fingerprint(self, request):
        url = canonize(request.url)
        return self._fingerprint(request if url == request.url else request.replace(url=url))
`;
