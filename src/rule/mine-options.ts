// Which options decide what is mined, so that a rules file has to record them? The schema here is the only definition
// of each. It gives the type of the options in a file, the order in which they are written, and the words that the
// command line accepts (cli/flags/mine adds ranges, defaults and help). Browsers load this file too, so it holds
// nothing else.

export const count = { type: 'integer', minimum: 0 } as const;
const positive = { type: 'number', minimum: 0 } as const;
export const yesOrNo = { type: 'boolean' } as const;

/** In the order of the file. A number in a file may be outside of the command line's current range. */
export const RECORDED = {
  S: count,
  T_low: count,
  T_high: count,
  MRD: positive,
  MAD: positive,
  MW: count,
  MS: count,
  rank: { enum: ['likeliness', 'confidence', 'support'] },
  similarity: yesOrNo,
  site: { enum: ['domain', 'host', 'all'] },
  minSiteUrls: count,
  scheme: { enum: ['http', 'https'] },
  /** Null if the user gave none. */
  base: { type: ['string', 'null'] },
  maxUrlLength: count,
  parameters: yesOrNo,
  paramMinUrls: count,
  /** Absent if what nobody would try was left out. */
  all: yesOrNo,
} as const;

/** Options that files of versions before 0.2 lack. Add new options here too, so that existing files stay valid. */
export const RECORDED_LATER = ['parameters', 'paramMinUrls', 'all'] as const;

type Name = keyof typeof RECORDED;
type Later = (typeof RECORDED_LATER)[number];

type ValueOf<Schema> = Schema extends { readonly enum: readonly (infer Word)[] }
  ? Word
  : Schema extends { readonly minimum: 0 }
    ? number
    : Schema extends typeof yesOrNo
      ? boolean
      : string | null;

export type RecordedOptions = { readonly [N in Exclude<Name, Later>]: ValueOf<(typeof RECORDED)[N]> } & {
  readonly [N in Later]?: ValueOf<(typeof RECORDED)[N]>;
};

/** The `options` that a file records, in its order. */
export function recordedOptions(options: RecordedOptions): RecordedOptions {
  const names = Object.keys(RECORDED) as Name[];
  const given = names.filter((name) => options[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, options[name]])) as unknown as RecordedOptions;
}
