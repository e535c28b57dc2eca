// A thread of the tables' crew.
import { serve } from '../base/crew-member.js';
import { perform } from './perform.js';

serve(perform);
