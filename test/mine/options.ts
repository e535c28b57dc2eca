// The options of `mine` by default, but for sites as small as tests make them.
const paper = { S: 35, T_low: 5, T_high: 10, MRD: 0.1, MAD: 0.9, MW: 1000, MS: 3 };
const ours = {
  rank: 'likeliness',
  similarity: true,
  site: 'host',
  minSiteUrls: 5,
  scheme: 'http',
  base: null,
} as const;

export const mineOptions = { ...paper, ...ours, maxUrlLength: 4096, parameters: true, paramMinUrls: 10 };
