// Which rules can change a form, in Python? An inverted index, as in `rule/filing`. A word is a run of letters and
// digits outside of escapes, like a token. Each rule is filed under the rarest word that a form must have for the rule to change it. One
// translation of its bytes and one split cut a form into its words; the words that rules are filed under name the rules
// to try, and a dictionary keeps that list of rules for every set of such words.

export const lookupInPython = String.raw`
# Which rules hold for a form?


def _head(form):
    """A cache key for results that depend on the host: scheme, host, and a little of the path; b"" for a path."""
    if form[:1] == b"/":
        return b""
    at = form.find(b"/", 8)
    return form if at < 0 else form[:at]


def _host_of(form):
    """(host, port) in lower case; (b"", b"") for a path."""
    scheme = _HTTP.match(form)
    if not scheme:
        return b"", b""
    # A rule can put a fragment in, which is only cut after the round.
    host = form[scheme.end() : _path_start(form)].partition(b"#")[0]
    host = host[host.rfind(b"@") + 1 :]
    port_at = _port_at(host)
    return host[:port_at].lower(), host[port_at:]


def _site_of(form):
    """The site whose rules hold for a URL; b"" for a path, None if no rule does."""
    if PATH_FORM:
        return b""
    if SITE_POLICY == "all":
        return b"*"
    host, port = _host_of(form)
    if not host + port:
        return b""
    if SITE_POLICY == "host":
        is_usual = port in (b":", b":80" if form[4:5] == b":" else b":443")
        site = host if is_usual else host + port
        return site if site in SITES else None
    host = host[:-1] if host.endswith(b".") else host
    if host in SITES:
        return host
    while b"." in host:
        host = host.partition(b".")[2]
        if host in SITES:
            return host if SITES[host] else None
    return None


_MAX_KEPT = 4096
_home_of_head = {}


def _is_home(form):
    """True for a path, and for a URL of one of the sites in SCOPE."""
    head = _head(form)
    if not head:
        return True
    is_home = _home_of_head.get(head)
    if is_home is None:
        is_home = _is_below_scope(_host_of(form)[0]) if SITE_POLICY == "all" else _site_of(form) is not None
        _keep(_home_of_head, head, is_home)
    return is_home


def _is_below_scope(host):
    host = host[:-1] if host.endswith(b".") else host
    while host not in SCOPE and b"." in host:
        host = host.partition(b".")[2]
    return host in SCOPE


def _keep(known, key, value):
    """Keep a result; a full cache is cleared first, so that hostile input cannot fill the memory."""
    if len(known) >= _MAX_KEPT:
        known.clear()
    known[key] = value


_WORD_BYTES = bytes(byte if byte in _RUN else 0x20 for byte in range(256))


def _words(text):
    return (_ESCAPE.sub(b" ", text) if b"%" in text else text).translate(_WORD_BYTES).split()


class Group:
    """The rules of a site: filed under a word that a form must have, or to be tried on every form."""

    def __init__(self, site):
        rules = [(rank, rule) for rank, rule in enumerate(RULES) if rule.site in (b"*", site)]
        count = {}
        for _, rule in rules:
            for word in set(_words(rule.key)):
                count[word] = count.get(word, 0) + 1
        self.always, self.filed, self.found = [], {}, {}
        for rank, rule in rules:
            entry = (rank, rule.key, rule.apply, rule.adds)
            words = _words(rule.key)
            if words:
                word = min(words, key=lambda word: (count[word], -len(word)))
                self.filed.setdefault(word, []).append(entry)
            else:
                self.always.append(entry)
        self.words = frozenset(self.filed)

    def rules_for(self, form):
        words = self.words.intersection(_words(form))
        found = self.found.get(words)
        if found is None:
            found = sorted([*self.always, *(entry for word in words for entry in self.filed[word])])
            _keep(self.found, words, found)
        return found


_group_of_site = {}
_group_of_head = {}


def _rules_for(form):
    """(rank, key, apply, adds) of each rule that may change the form, or the form after removals, in rank order."""
    if PATH_FORM or SITE_POLICY == "all":
        head = b""
    else:
        head = _head(form)
    group = _group_of_head.get(head)
    if group is None:
        site = _site_of(form)
        if site not in _group_of_site:
            _group_of_site[site] = Group(site)
        group = _group_of_site[site]
        _keep(_group_of_head, head, group)
    return group.rules_for(form)
`;
