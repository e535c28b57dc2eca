// This machine's engine: the tables of Figure 1 by shared last parts within shared first parts (FAST.md).
import { SpillSorter } from '../base/spill.js';
import { eachBucket } from '../table/envelope.js';
import { InstanceReader, instanceVisitor } from '../table/instance.js';
import { orderUrls } from '../table/order.js';
import { eachPair } from '../table/support.js';
import type { Engine } from './engine.js';

export const localEngine: Engine = {
  name: 'local',
  eachLikelyPair(urls, options, room, emit) {
    const order = orderUrls(urls, room, room.stats);
    const sorter = new SpillSorter(room, room.stats);
    eachBucket(order, options, instanceVisitor(urls, order, options, sorter));
    const reader = new InstanceReader(sorter.finish());
    for (let group = reader.next(); group !== undefined; group = reader.next()) eachPair(urls, group, options, emit);
    reader.close();
  },
};
