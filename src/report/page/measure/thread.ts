// A thread of the report.
import { serve } from '../../../base/crew-member.js';
import { performBeside, type BesideResult, type BesideTask } from './beside.js';

serve<BesideTask, BesideResult>((task, send) => send(performBeside(task)));
