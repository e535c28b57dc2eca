// A thread of the miners' crew.
import { serve, type Send } from '../base/crew-member.js';
import { collectGarbage } from '../base/garbage.js';
import type { TableResult, TableTask } from '../table/crew.js';
import { perform } from '../table/perform.js';
import { performSearch, type ParameterResult, type ParameterTask } from './crew.js';

serve((task: TableTask | ParameterTask, send: Send<TableResult | ParameterResult>) => {
  if (task.kind !== 'parameters') return perform(task, send);
  send(performSearch(task));
  // Its columns were large, and the thread may live long without another reason to look for garbage.
  collectGarbage();
});
