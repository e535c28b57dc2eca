// Well-known names of parameters: for tracking, for money, for choice, for the order of a list.

// Known trackers: programs write these names, and pages do not depend on their values.

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

// Other names may stand for money or a choice, although the page is the same whatever the value:
//
//     money    somebody gets a commission by it, or a discount is given
//     choice   a visitor chose it, and a cookie keeps the choice
//     return   the way back after a login
//
// The pages do not show that: `?aff=7` and `?aff=8` have one page, but somebody else gets the commission. So names
// decide. Each has its source below (as of November 2026). Letter case and separators do not matter: `returnUrl` is
// `return_url`. Known trackers (above) are not among these names.

export type MeaningKind = 'money' | 'choice' | 'return';

/** Grouped by their sources. */
const NAMES: Readonly<Record<MeaningKind, readonly string[]>> = {
  money: [
    // ClearURLs, data.min.json: its `referralMarketing`
    'ref referrer tag ascsubtag partner mr:referralID',
    // AdGuard, TrackParamFilter/sections/general_url.txt: ShareASale, Impact, Tradedoubler, Awin, Admitad, Sovrn, Moshimo
    'sscid irclickid irgwc ir_adid ir_campaignid ir_partnerid tduid awc admitad_uid cuid maf clickid',
    // Brave, components/query_filter
    'rb_clickid',
    // Manuals of affiliate software: TUNE, LinkTrust, Commission Factory and ShareASale, Lemon Squeezy, WooCommerce, UpPromote
    'aff_id aff_sub aff_sub2 aff_sub3 aff_sub4 aff_sub5 afid affiliatereferenceid clickref subid afftrack aff refid sca_ref',
    // As seen in links: Post Affiliate Pro, CJ, Rakuten, Tradedoubler, shops and portals
    'a_aid a_bid cjevent cjdata ranmid ransiteid raneaid epi affid affiliate affiliate_id partnerid referral referral_id',
    'click_id coupon coupon_code promo promo_code discount discount_code voucher voucher_code',
  ],
  choice: [
    // Shops (Shopify has currency, country, variant), content systems (MediaWiki has uselang, useskin), Google has hl
    'currency cur lang language locale uselang setlang hl region country theme skin useskin variant sku',
  ],
  return: [
    // Lists of names to try for open redirects: Nuclei's fuzzing templates, PayloadsAllTheThings
    'next next_url redirect redirect_to redirect_uri redirect_url redir return return_to return_url returntoquery continue',
    'continue_url dest destination goto back back_url callback callback_url checkout_url forward forward_url exit_url rurl',
  ],
};

/** The way back if the value is an address, otherwise nothing known. From the same lists. */
const WITH_ADDRESS = new Set('url uri link target go to'.split(' '));
const ADDRESS = /^(?:https?(?::|%3a)|\/|%2f)/i;

const KINDS = new Map(
  Object.entries(NAMES).flatMap(([kind, lists]) =>
    lists.flatMap((list) => list.split(' ')).map((name) => [folded(name), kind as MeaningKind] as const),
  ),
);

/** Undefined for a name without a known meaning. `value` is as in the URL. */
export function meaningOf(name: string, value?: string | null): MeaningKind | undefined {
  const bare = folded(name);
  const kind = KINDS.get(bare);
  if (kind !== undefined) return kind;
  return WITH_ADDRESS.has(bare) && ADDRESS.test(value ?? '') ? 'return' : undefined;
}

/** True for a name that has a meaning, at least with some values. */
export function mayMean(name: string): boolean {
  const bare = folded(name);
  return KINDS.has(bare) || WITH_ADDRESS.has(bare);
}

/** Turns `Return-URL[]` into `returnurl`. */
export function folded(name: string): string {
  return name.toLowerCase().replace(/%5b|%5d|[-_.:[\]]/g, '');
}

// Names of parameters that sort a list. A list in another order has the same length to the byte, so sizes do not show
// whether such a parameter matters.

const ORDER_WORDS = new Set(
  'sort sorted sorting sortby sortorder sortdir sortkey order orderby orderdir ordering asc desc dir direction'.split(
    ' ',
  ),
);
/** Parameters of Apache's folder listings. */
const FOLDER_LISTING = new Set(['C', 'O']);
/** With a word for a number these are things, not orders: `order_id` is a purchase, `dir_no` a folder. */
const THINGS = new Set(['order', 'dir', 'direction']);
const NUMBER_WORDS = new Set(['id', 'no', 'nr', 'num', 'number', 'key']);

/** True for `sort`, `sortOrder`, `list.order-by`, `_sort_desc`; not for `border` and `order_id`. */
export function isOrderName(name: string): boolean {
  if (FOLDER_LISTING.has(name)) return true;
  const words = name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
  const isThing = words.some((word) => NUMBER_WORDS.has(word));
  return words.some((word) => ORDER_WORDS.has(word) && !(isThing && THINGS.has(word)));
}
