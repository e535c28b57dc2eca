// Is a field (`name=value`) an order, or a secret?
//
//   action=addUser, cmd=3          the name selects an action: any verb in the value, or a number of a command
//   delete=7, removeBtn=1          the name is an order
//   x=logout, page=delete_user     the value is one
//   r=post/delete                  the value is a route, tested as a path
//   sql=DROP+TABLE+x, {"method":"System.Reboot"}, <delete>
//   light=on, 3=off                a switch
import { createActOf, type Act } from './act.js';
import { listOf, type Lexicon } from './lexicon.js';
import { pathReason, type ActionReason } from './path.js';
import { actOfName, isPrivate, isStaticFile, looksLikeCode, styleOf, type Segment } from './segment.js';
import { decoded, folded, parted, wordsOf } from './text.js';

export interface Field {
  readonly reason: ActionReason | undefined;
  /** True for `on`, `open`, …, which act if the path names a device. */
  readonly isSwitch: boolean;
}

/** Parameters that select an action. */
const DISPATCH = new Set(
  listOf(`action act actions do op operation cmd command cmnd task func fnc function method mode event todo a m ac doaction
    actionid exec step sub sa httpmethod akce aktion accion acao azione endpoint ctrl controller param trigger machwas
    request submit button signal fuseaction`),
);
const COMMANDS = new Set(listOf('cmd cmnd command'));
/** Parameters with a route, or with the name of a page. A verb alone acts there. */
const ROUTES = new Set(
  listOf(`page p r q route view section module mod name c b x z f i t u s fn api cl path area tab go opt option handler job
    what wat was tat ajax`),
);
/** Parameters with a search, a language, a title, or a file. */
const SEARCH = new Set(
  listOf('q query search s keyword keywords kw term text tag tags lang hl locale filter sort order hilit highlight'),
);
/** Names of properties. Their values are adjectives and nouns: `color=clear`. */
const VALUES = new Set(
  listOf(`type status state color colour size style format output category cat label reason layout theme skin feature
    features brand material mode view show display orderby sortby order dir group by kind class set version
    source medium channel country city region genre author user username login mark tab section flag flags level
    filters facet facets`),
);
const TITLES = new Set(listOf('title topic subject pagetitle id file filename referer referrer ref tab'));
/** Parameters that say where to go afterwards, or who sent the visitor. */
const ELSEWHERE =
  /(?:redirect|return|back|dest|destination|next|url|uri|referr?er|goto|forward|continue|service|target)(?:to|url)?$|^utm|^loc$/;
/** Names that confirm or run something, whatever the value. */
const FORCED = new Set(
  listOf('force confirm confirmed sure sicher confirma conferma confirmar unsub turn watch markread run deploy'),
);
/** Names of buttons. Forms that only search have such buttons too. */
const BUTTONS = new Set(listOf('submit save search edit upload cancel send'));
/** Names that select a row to delete: `delete_id`, `del_no`. */
const DELETED_ID = /^del(?:ete)?_?(?:ids?|no|idx|nr)$/i;
const DISPATCHED_START =
  /^(?:delete|remove|disable|enable|abort|cancel|clear|reset|restart|reboot|update(?!s$|d$)|create(?!d$)|submit|execute|import(?!ant)|reload|unload|fetch|send(?!er)|switch(?!es)|add(?!ress|itional|on))./;

const SWITCH = /^(?:on|off|toggle|an|aus)$/i;
/** Values that act if the path names a device. */
const MOVE = /^(?:on|off|toggle|an|aus|open|close|stop|up|down|left|right|home|pulse)$/i;

const TOKEN_NAME =
  /csrf|xsrf|nonce|(?:token|tokenauth|tokenid|verifier|samlrequest|samlresponse|apikey|authkey|formkey|formhash|logouthash|logoutkey|postkey|sesskey|signature|checkword|secret|modhash|confirmhash|otp|password|passwort|passwd|pwd)$|^(?:pass|sig|sign|nk|hmac|checksum|formid)$/;
/** Names of confirmation codes, whatever the value looks like. */
const SECRET_NAMES = new Set(
  listOf('verify verification confirmation activation invite invitation rsvp otp optin optout magiclink recovery'),
);
const KEY_NAMES = new Set(listOf('key k code hash kod codice codigo chiave cle hs backlink guid rt'));

const SQL =
  /\b(?:delete\s+from|drop\s+(?:table|database|view|index|user)|truncate\s+(?:table\b|[`"\w])|insert\s+into|replace\s+into|alter\s+table|update\s+\S+\s+set|grant\s+\w+|create\s+table)\b/i;

export function createFieldOf(lexicon: Lexicon, segmentOf: (segment: string) => Segment): (field: string) => Field {
  const isOrder = createIsOrder(lexicon, segmentOf);
  return (field) => {
    const cut = field.indexOf('=');
    const rawName = cut < 0 ? field : field.slice(0, cut);
    const rawValue = cut < 0 ? '' : field.slice(cut + 1);
    const [name, value] = [decoded(rawName), decoded(rawValue)];
    const words = wordsOf(parted(name));
    const joined = words.join('');
    if (SQL.test(value)) return { reason: 'action-url', isSwitch: false };
    if (ELSEWHERE.test(joined)) return { reason: undefined, isSwitch: false };
    if (isOrder(name, words, value, cut >= 0)) return { reason: 'action-url', isSwitch: false };
    const isSecret = isToken(joined, value) || (!SEARCH.has(joined) && isPrivate(rawName, rawValue));
    return { reason: isSecret ? 'token-url' : undefined, isSwitch: MOVE.test(value) };
  };
}

type IsOrder = (name: string, words: readonly string[], value: string, hasValue: boolean) => boolean;

function createIsOrder(lexicon: Lexicon, segmentOf: (segment: string) => Segment): IsOrder {
  const actOf = createActOf(lexicon);
  const isSure = (act: Act) => act === 'strong' || act === 'verb';

  function isRoute(text: string): boolean {
    return isRouteLike(text) && pathReason(text.split('/').filter(Boolean).map(segmentOf), false) === 'action-url';
  }

  function isNameOrder(name: string, words: readonly string[], value: string): boolean {
    if (DELETED_ID.test(name)) return true;
    const [first = ''] = words;
    if (words.length !== 1) {
      return actOf(words, 'title') === 'strong' || (lexicon.verbs.has(first) && actOf(words, 'program') === 'strong');
    }
    if (FORCED.has(first)) return true;
    if (first === 'mark') return /^[a-z]/.test(value);
    if (BUTTONS.has(first)) return value === '' || /^\d+$/.test(value);
    // A button whose value is its own name: `good=good`.
    const act = actOf(words, 'program');
    return isSure(act) || (act !== undefined && folded(value) === first);
  }

  /** True for a glued word such as `mergetopics`, where verbs are expected. */
  const isGlued = (word: string) =>
    [3, 4, 5, 6, 7].some((cut) => lexicon.dispatched.has(word.slice(0, cut)) && lexicon.things.has(word.slice(cut)));
  const isDispatched = (word: string) => lexicon.dispatched.has(word) || DISPATCHED_START.test(word) || isGlued(word);

  function isValueOrder(nameWords: readonly string[], value: string): boolean {
    const isCommand = nameWords.some((word) => COMMANDS.has(word));
    if (isCommand && /\d/.test(value)) return true;
    const last = nameWords.at(-1) ?? '';
    const words = wordsOf(parted(value));
    if (words.length === 0 || words.length > 6 || looksLikeCode(value)) return false;
    const act = actOfName(value, styleOf(value, false), actOf);
    const isDispatch = isCommand || DISPATCH.has(last) || DISPATCH.has(nameWords.join(''));
    if (isDispatch) return isSure(act) || words.some(isDispatched);
    if (isStaticFile(value) || isRouteLike(value)) return false;
    if (TITLES.has(last)) return words[0] === 'special' ? isSure(act) : lexicon.phrases.has(words.join(''));
    if (SEARCH.has(last)) return false;
    return act === 'strong' || (act === 'verb' && (ROUTES.has(last) || !VALUES.has(last)));
  }

  /** True for JSON with a method such as `"method":"System.Shutdown"`, or XML whose first element is a verb. */
  function isDocumentOrder(value: string): boolean {
    if (value.startsWith('<')) return isValueOrder(['action'], /^<\s*(\w+)/.exec(value)?.[1] ?? '');
    if (!/^[{[]/.test(value)) return false;
    return [...value.matchAll(/"(?:method|action|cmd|command|op|operation)"\s*:\s*"([^"]{1,40})"/gi)].some(([, text]) =>
      isValueOrder(['action'], text!),
    );
  }

  return (name, words, value, hasValue) => {
    if (isNameOrder(name, words, value) || isRoute(hasValue ? value : name)) return true;
    if (isValueOrder(words, value) || isDocumentOrder(value)) return true;
    return (
      SWITCH.test(value) &&
      (/^\d+$|switch|relay|light|power/i.test(name) || words.some((word) => lexicon.devices.has(word)))
    );
  };
}

function isRouteLike(text: string): boolean {
  return text.includes('/') && !text.includes('://') && !/\s/.test(text);
}

/** True for the names of secrets, and for values of `key=` that are not words. */
function isToken(name: string, value: string): boolean {
  if (value === '') return false;
  if (TOKEN_NAME.test(name) || SECRET_NAMES.has(name)) return true;
  return KEY_NAMES.has(name) && /^(?=.*\d)(?=.*[a-z])[\w~.=/+-]{4,}$/i.test(value);
}
