// Cache policies for CloudFront, in Terraform, that leave out parameters without effect. Each place gets its own
// policy, because a policy belongs to a cache behaviour, and a behaviour to a path pattern.
import { headingLines } from '../heading.js';
import type { ExportRequest, Exported, Target } from '../target.js';
import {
  changesSince,
  evidenceOf,
  exportedOf,
  placeOf,
  placesOf,
  provenOf,
  type Place,
  type Proven,
} from './proven.js';

/** A policy names no more parameters, unless AWS raised that limit for the account. */
const MOST_NAMES = 10;
const TOO_MANY = `comes after the ${MOST_NAMES} parameters that a policy names`;

const usage = `Cache policies for CloudFront, in Terraform (provider hashicorp/aws 5). Name each in the cache
behaviour of its path pattern, together with an origin request policy that forwards the query (Managed-AllViewer):
without it, the site does not get the parameters that the cache policy leaves out. A policy names at most ten
parameters: further ones are left out.`;

export const cloudfrontKey: Target = {
  name: 'cloudfront-key',
  isKey: true,
  summary: 'cache policies for CloudFront: without parameters that were shown to have no effect',
  usage,
  write(request: ExportRequest): Exported {
    const proven = fitting(provenOf(request));
    const heading = [...headingLines(request, usage, proven.left), '', ...evidenceOf(proven)];
    const text = [...heading.map((line) => `# ${line}`.trimEnd()), ...placesOf(proven).flatMap(policyOf), ''];
    return exportedOf(text.join('\n'), proven);
  },
  check: (request, text) => changesSince(text, fitting(provenOf(request))),
};

/** The first removals with which no policy names too many parameters. */
function fitting({ removals, left }: Proven): Proven {
  const fits = (some: Proven['removals']) =>
    placesOf({ removals: some, left }).every(({ names }) => names.length <= MOST_NAMES);
  if (fits(removals)) return { removals, left };
  const kept: Proven['removals'][number][] = [];
  for (const one of removals) if (fits([...kept, one])) kept.push(one);
  const others = removals.filter((one) => !kept.includes(one));
  return { removals: kept, left: [...left, ...others.map(({ rule }) => ({ rule, reason: TOO_MANY }))] };
}

function policyOf({ at, names }: Place, number: number): readonly string[] {
  return `
# ${placeOf(at)}
resource "aws_cloudfront_cache_policy" "dustbuster_${number + 1}" {
  name        = "dustbuster-${number + 1}"
  min_ttl     = 0
  default_ttl = 0
  max_ttl     = 31536000
  parameters_in_cache_key_and_forwarded_to_origin {
    enable_accept_encoding_gzip   = true
    enable_accept_encoding_brotli = true
    cookies_config { cookie_behavior = "none" }
    headers_config { header_behavior = "none" }
    query_strings_config {
      query_string_behavior = "allExcept"
      query_strings { items = [${names.map((name) => `"${name}"`).join(', ')}] }
    }
  }
}`.split('\n');
}
