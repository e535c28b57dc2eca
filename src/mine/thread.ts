// A thread of the miners' crew.
import { serve, type Send } from '../base/crew.js';
import { collectGarbage } from '../base/garbage.js';
import type { TableResult, TableTask } from '../table/crew.js';
import { perform } from '../table/perform.js';
import { performSearch, type ParameterResult, type ParameterTask } from './crew.js';
import { performSites } from './small-sites.js';
import type { SitesResult, SitesTask } from './sites-task.js';

serve((task: TableTask | SitesTask | ParameterTask, send: Send<TableResult | SitesResult | ParameterResult>) => {
  if (task.kind === 'sites') return performSites(task, send);
  if (task.kind !== 'parameters') return perform(task, send);
  send(performSearch(task));
  // Its columns were large, and the thread may live long without another reason to collect garbage.
  collectGarbage();
});
