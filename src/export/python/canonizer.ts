// The canonizer in Python: as `canonize/canonizer`, step by step, on bytes and with the standard library only: rounds
// through the rules of the form's site, preparation after each, the least form of a cycle. Python is slow at bytes and
// fast at regular expressions: these skip URLs that are prepared already, and rules that cannot touch a form.

import { rulesInPython } from './rules.js';

export const canonizerInPython = String.raw`
_HTTP = re.compile(rb"[Hh][Tt][Tt][Pp][Ss]?://")
_HEAD = re.compile(rb"[Hh][Tt][Tt][Pp][Ss]?://[^/?]*")
_USUAL_HEAD = re.compile(rb"https?://[0-9a-z-]+(?:\.[0-9a-z-]+)*(?::(?!80/|443/)[0-9]+)?/|/")
_CLEAN = re.compile(rb"[^\x00-\x20\x7f]*\Z")
_URL = re.compile(rb"(?:/|[Hh][Tt][Tt][Pp][Ss]?://)[^\x00-\x20\x7f]*\Z")
_TOKEN = re.compile(rb"[0-9A-Za-z\x80-\xff]+|[^0-9A-Za-z\x80-\xff]")
_ESCAPE = re.compile(rb"%[0-9A-Fa-f]{2}")
_NEEDLESS_ESCAPE = re.compile(rb"%(?:2[DEde]|3[0-9]|4[1-9A-Fa-f]|5[0-9AFaf]|6[1-9A-Fa-f]|7[0-9AEae])")
_SMALL_ESCAPE = re.compile(rb"%(?:[a-f][0-9A-Fa-f]|[0-9A-F][a-f])")
_PATH_FIELD = re.compile(rb";([^;/=]+)=[^;/]*")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_HEX = frozenset(b"0123456789ABCDEFabcdef")
_RUN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") | frozenset(range(128, 256))


def canonize(url):
    """The canonical form of a URL, str or bytes; what is no URL comes back as it is."""
    if isinstance(url, bytes):
        return _canonize(url)
    try:
        return _canonize(url.encode("utf-8", "surrogateescape")).decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return url


def _canonize(url):
    if not _URL.match(url):
        return url
    forms = [_prepare(url)]
    for _ in range(MAX_ROUNDS):
        form = forms[-1]
        if len(form) > MAX_BYTES:
            return url
        image = _apply_rules(form)
        if len(image) > MAX_BYTES:
            return url
        image = _prepare(image)
        if image == form:
            return form
        if image in forms:
            return min(forms[forms.index(image):], key=_size)
        forms.append(image)
    return url


def _apply_rules(form):
    """All rules of the site once, in rank order; a rule may lead to another site, whose rules then go on from that rank."""
    rank = -1
    while True:
        site = _site_of(form)
        for at, text, touches, rule in _rules_of(site):
            if at <= rank or text not in form or not touches(form):
                continue
            image = rule.image(form)
            if image == form or not rule.limits.hold(form):
                continue
            form, rank = image, at
            if len(form) > MAX_BYTES:
                return form
            if SITE_POLICY != "all" and _site_of(form) != site:
                break
        else:
            return form


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
    return _normalize(form) if NORMALIZE else form


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


# Which rules hold for a form?


def _site_of(form):
    """The site of the rules that a URL belongs to; b"" without host, None where no rule is."""
    if PATH_FORM:
        return b""
    if SITE_POLICY == "all":
        return b"*"
    scheme = _HTTP.match(form)
    if not scheme:
        return b""
    # A fragment that a rule has put in is cut behind the round only.
    host = form[scheme.end() : _path_start(form)].partition(b"#")[0]
    host = host[host.rfind(b"@") + 1 :]
    if not host:
        return b""
    port_at = _port_at(host)
    host, port = host[:port_at].lower(), host[port_at:]
    if SITE_POLICY == "host":
        site = host if port in (b":", b":80" if scheme.end() == 7 else b":443") else host + port
        return site if site in SITES else None
    host = host[:-1] if host.endswith(b".") else host
    if host in SITES:
        return host
    while b"." in host:
        host = host.partition(b".")[2]
        if host in SITES:
            return host if SITES[host] else None
    return None


_of_site = {}


def _rules_of(site):
    """(rank, text, touches, rule) of each rule of a site: it changes no form without the text, nor one that it does not touch."""
    if site not in _of_site:
        found = [(rank, rule) for rank, rule in enumerate(RULES) if rule.site in (b"*", site)]
        _of_site[site] = [(rank, *rule.condition(), rule) for rank, rule in found]
    return _of_site[site]


${rulesInPython.trim()}


class RequestFingerprinter:
    """For REQUEST_FINGERPRINTER_CLASS of Scrapy: requests for one page, however it is called, have one fingerprint."""

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
