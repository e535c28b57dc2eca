// Which parameters does everybody know, whatever a log says of them? Programs write these names, and the page that they
// get does not depend on their values.

export type KnownKind = 'session' | 'campaign';

const SESSIONS = new Set(
  'phpsessid jsessionid sessionid session_id cfid cftoken oscsid zenid xtcsid aspsessionid'.split(' '),
);
const CAMPAIGNS = new Set(
  (
    'gclid gclsrc dclid gbraid wbraid fbclid msclkid yclid ttclid twclid igshid li_fat_id mc_cid mc_eid _ga _gl ' +
    '_hsenc _hsmi vero_id s_kwcid ef_id epik wickedid'
  ).split(' '),
);
const CAMPAIGN_PREFIX = /^(?:utm|hsa|pk|mtm|matomo|piwik)_[a-z_]+$/;

/** Undefined for any other name. */
export function knownKindOf(name: string): KnownKind | undefined {
  const lower = name.toLowerCase();
  if (SESSIONS.has(lower) || /^aspsessionid[a-z]{8}$/.test(lower)) return 'session';
  return CAMPAIGNS.has(lower) || CAMPAIGN_PREFIX.test(lower) ? 'campaign' : undefined;
}
