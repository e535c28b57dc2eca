// A thread of the report.
import { serve } from '../../../base/crew.js';
import { type BesideResult, type BesideTask, performBeside } from './beside.js';

serve<BesideTask, BesideResult>((task, send) => send(performBeside(task)));
