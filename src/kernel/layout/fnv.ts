// The offset basis of FNV-1a, as a signed integer, and its prime (base/hash, sweep).
export const FNV_SEED = -0x7ee3623b;
export const FNV_PRIME = 0x01000193;
