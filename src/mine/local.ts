// This machine's engine: the tables of Figure 1 by shared last parts within shared first parts (SPEC 3.3).
import { eachLikelyPair } from '../table/likely-pairs.js';
import type { Engine } from './engine.js';

export const localEngine: Engine = { name: 'local', eachLikelyPair };
