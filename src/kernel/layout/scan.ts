// What a scan of a URL finds (kernel/parameters/scan): numbers of 32 bits, then a column for each of these, by parameter.
//
//   0     parameters, 1 if it has a host, and the hash of the URL
//   16    columns of MAX_NAMES

/** Only the first names of a URL are considered: a hostile one has a thousand. */
export const MAX_NAMES = 32;

export const COUNT = 0;
export const HAS_HOST = 4;
export const HASH_A = 8;
export const HASH_B = 12;

/** Offsets in the URL: of the first field with the name, and of the end of the name in it. */
export const NAME_AT = 16;
export const NAME_END = 144;
export const FIELD_END = 272;
export const NAME_HASH = 400;
/** Of name and value. */
export const FIELD_HASH = 528;
/** 1 if the URL without the parameter is the URL without one range of bytes. */
export const IS_SIMPLE = 656;
/** The hash of the URL without the parameter. */
export const REST_A = 784;
export const REST_B = 912;

export const SCAN_BYTES = 1040;
