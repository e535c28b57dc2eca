// What is said of an instance in a row of the instance table (see instance).

/** Its bucket is small; its URLs are similar; its core can stand in several places. */
export const LOW = 1;
export const SIMILAR = 2;
export const BORDERED = 4;
/** Bordered, and the pair of URLs has more rows in its group: these can have envelopes in common. */
export const REPEATED = 8;
