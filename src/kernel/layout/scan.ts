// The result of scanning a URL (kernel/parameters/scan): 32-bit numbers, then columns by parameter.
//
//   0     the number of parameters, 1 if the URL has a host, and the hash of the URL
//   16    columns of MAX_NAMES entries

/** Only the first names of a URL count: a hostile URL has a thousand. */
export const MAX_NAMES = 32;

export const COUNT = 0;
export const HAS_HOST = 4;
export const HASH_A = 8;
export const HASH_B = 12;

/** Offsets in the URL of the first field with the name: where it starts, and where its name ends. */
export const NAME_AT = 16;
export const NAME_END = 144;
export const FIELD_END = 272;
export const NAME_HASH = 400;
/** The hash of name and value. */
export const FIELD_HASH = 528;
/** 1 if removing the parameter cuts just one range of bytes out of the URL. */
export const IS_SIMPLE = 656;
/** The hash of the URL without the parameter. */
export const REST_A = 784;
export const REST_B = 912;

export const SCAN_BYTES = 1040;
