// Rules as Python modules: for any program, and for Scrapy. Both are the same module (`module`); the one for Scrapy has a
// class for its settings too.
import { homeOf } from './home.js';
import { writeModule } from './module.js';
import type { Target } from '../target.js';

export const python: Target = {
  name: 'python',
  isKey: true,
  summary: 'a Python module without dependencies: canonize(url), for pandas, PySpark, datatrove and others',
  longLists: 'all',
  usage: `Save it as canonical_urls.py where Python finds it. It only needs Python 3.8 or later:

    from canonical_urls import canonize
    frame["page"] = frame["url"].map(canonize, na_action="ignore")

URLs of one page have the same form: compare by it, and keep the URL that you found. URLs of other sites than those of
the rules stay as they are. dustbuster help crawlers has examples for pandas, PySpark and datatrove.`,
  write: (request) => writeModule(request, { about: ABOUT_MODULE, code: '' }),
  homeOf,
};

const ABOUT_MODULE = `    >>> from canonical_urls import canonize
    >>> canonize("http://www.example.com/")

URLs of one page have the same form. Compare by it, and fetch or keep the URL that you found.`;

export const scrapy: Target = {
  name: 'scrapy',
  isKey: true,
  summary: 'the same module, with a request fingerprinter for Scrapy',
  longLists: 'all',
  usage: `Save it as canonical_urls.py in a Scrapy project, and put into its settings.py:

    REQUEST_FINGERPRINTER_CLASS = "canonical_urls.RequestFingerprinter"

All URLs of a page then have the same fingerprint, so Scrapy crawls it once, by the URL that it found. URLs of other
sites than those of the rules stay as they are.`,
  write: (request) => writeModule(request, { about: ABOUT_SCRAPY, code: FINGERPRINTER }),
  homeOf,
};

const ABOUT_SCRAPY = `${ABOUT_MODULE}

In the settings.py of a Scrapy project:

    REQUEST_FINGERPRINTER_CLASS = "canonical_urls.RequestFingerprinter"`;

const FINGERPRINTER = `

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
