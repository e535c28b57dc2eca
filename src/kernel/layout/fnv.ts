// Where FNV-1a begins, as a signed integer, and what it multiplies by after each byte (base/hash, sweep).
export const FNV_SEED = -0x7ee3623b;
export const FNV_PRIME = 0x01000193;
