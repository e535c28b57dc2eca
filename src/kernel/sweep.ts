// The exports of the sweep, a small module with a memory of its own (canonize/sweep).
export { sweep } from './sweep/lines';
export { settle } from './sweep/rounds';
