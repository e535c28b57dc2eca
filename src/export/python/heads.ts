// How does Python write scheme and host? As browsers do (`url/normalize`), with the standard library: names in punycode
// by its IDNA codec, which knows the names of IDNA 2003, and addresses by `ipaddress`. A host whose form it cannot know,
// such as `0x7f.1` or a name with `ß`, is left alone, as is a host that browsers refuse.

export const headsInPython = String.raw`
# A name without punycode whose last label begins with a letter, or four numbers; then a port that is not a usual one.
_BYTE = r"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_IPV4 = rf"{_BYTE}(?:\.{_BYTE}){{3}}"
_NAME = r"(?![0-9a-z.-]*--)(?:[0-9a-z-]*\.)*[a-z][0-9a-z-]*"
_USUAL = rf"(?:https?://(?:{_NAME}|{_IPV4})(?::(?!80/|443/)[1-9][0-9]{{0,3}})?(?=/))?/".encode()
_USUAL_HEAD = re.compile(_USUAL)
_IS_IPV4 = re.compile(_IPV4 + r"\Z").match
_IS_NUMBER = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)\.?\Z").match
_IS_NAME = re.compile(r"[!\"$&-,.;=_\x60{}~a-z0-9-]+\Z").match
# IDNA 2003 has other names for these letters than browsers.
_DEVIATION = re.compile("[\u00df\u03c2\u200c\u200d]")
_AUTHORITY = re.compile(rb"([Hh][Tt][Tt][Pp][Ss]?)://([^/?\\]*@)?([^/?\\@]*)")
_RAW = re.compile(rb"[\x20\x80-\xff]")


def _escaped(raw):
    return b"%%%02X" % raw[0][0]


def _spelled_head(scheme, user, host):
    """http://user@host:port in normal form; None for a host that browsers refuse, or whose form is not known here."""
    scheme = scheme.lower()
    port_at = _port_at(host)
    name, port = _spelled_name(host[:port_at]), host[port_at + 1 :]
    if name is None or len(port) > 20 or (port and int(port) > 65535):
        return None
    port = b"" if port == b"" or int(port) == (80 if scheme == b"http" else 443) else b":%d" % int(port)
    return scheme + b"://" + _RAW.sub(_escaped, user or b"") + name + port


def _spelled_name(name):
    try:
        if name[:1] == b"[" and name[-1:] == b"]" and b"%" not in name:
            return b"[" + ipaddress.IPv6Address(name[1:-1].decode("ascii")).compressed.encode() + b"]"
        text = _ESCAPE.sub(lambda escape: bytes([int(escape[0][1:], 16)]), name).decode("utf-8")
        if _DEVIATION.search(text):
            return None
        text = text.lower() if text.isascii() else text.encode("idna").decode("ascii").lower()
        for label in text.split("."):
            if label[:4] == "xn--":
                label.encode("ascii").decode("idna")
                if label == "xn--":
                    return None
    except ValueError:
        return None
    is_name = _IS_NAME(text) and (not _IS_NUMBER(text) or _IS_IPV4(text))
    return text.encode("ascii") if is_name else None


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
`;
