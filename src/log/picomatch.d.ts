// The part of picomatch that is used; the package has no types.
declare module 'picomatch' {
  interface Options {
    readonly bash?: boolean;
    readonly dot?: boolean;
    readonly nonegate?: boolean;
    readonly noextglob?: boolean;
    readonly strictSlashes?: boolean;
    readonly windows?: boolean;
    readonly fastpaths?: boolean;
  }
  const picomatch: { makeRe(glob: string, options: Options): RegExp };
  export default picomatch;
}
