// The words of a page that say how long ago something was:
//
//     3 hours ago    1 week, 2 days ago    vor 5 Minuten    il y a 2 jours    3 дня назад    5 分钟前
//
// They change with the time of the request, on every row of a list at once, and do not tell pages apart. Trac, Roundup,
// Gitea, Django and Rails write them. Times without such a word, as in "5 min.", are left to `volatile`, which learns
// what changes on a site. Ages are marked before the words of a text are veiled (`veil`).

/** A whole word. `\b` knows ASCII only. */
const word = (pattern: string): string => String.raw`(?<![\p{L}\p{N}])(?:${pattern})(?![\p{L}\p{N}])`;

/** `3 hours`, `an hour`, `1 week, 2 days`. */
const SPAN = String.raw`(?:\p{N}+|\p{L}{1,4})\s\p{L}+(?:,?(?:\s(?:and|und|et|y|e))?\s\p{N}+\s\p{L}+)?`;

const AGO = 'ago|geleden|fa|atrás|назад|тому|temu|siden|sedan|sitten|önce';

// A word before the number has other meanings too, so it must be followed by the name of a unit.
const UNITS_DE = '(?:Sekunde|Minute|Stunde|Tag|Woche|Monat|Jahr)(?:e?n?|es)';
const UNITS_FR = '(?:seconde|minute|heure|jour|semaine|mois|an|année)s?';
const UNITS_ES_PT = '(?:segundo|minuto|hora|día|dia|semana|mese?|mês|año|ano)s?';

const agePattern = new RegExp(
  [
    word(String.raw`(?:(?:about|almost|over|less than|for|för)\s)?${SPAN}\s(?:${AGO})`),
    word(String.raw`vor\s(?:\p{N}+|eine[mr]?)\s${UNITS_DE}`),
    word(String.raw`il y a\s(?:\p{N}+|une?)\s${UNITS_FR}`),
    word(String.raw`(?:hace|há)\s(?:\p{N}+|una?|uma?)\s${UNITS_ES_PT}`),
    String.raw`\p{N}+\s?(?:秒|分|分钟|分鐘|小时|小時|時間|天|日|周|週|週間|个月|個月|か月|ヶ月|年)前`,
  ].join('|'),
  'giu',
);

/** Two characters that no text has: Unicode reserves them for use inside of programs. */
const [START, END] = ['\ufdd0', '\ufdd1'];

/** The text with white space folded and every age between two marks. */
export function markAges(text: string): string {
  const folded = text
    .replace(/[\ufdd0\ufdd1]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return folded.replace(agePattern, `${START}$&${END}`);
}

/** A marked text without its ages. */
export function withoutAges(text: string): string {
  return text.replace(/\ufdd0[^\ufdd0\ufdd1]*\ufdd1/g, '');
}
