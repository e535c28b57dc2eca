// Parses one line by a format: its fields as text, or why it is not a record.
import { Buffer } from 'node:buffer';
import { decodeText } from '../../../src/base/bytes.js';
import { clearFields, createFields, type LineFormat, type Span } from '../../../src/log/format/format.js';
import { METHOD } from '../../../src/log/record.js';

const METHOD_NAMES = Object.keys(METHOD);

/** Only fields that the line has; earlier lines may come first, and the result is that of the last. */
export function fieldsOf(format: LineFormat, ...lines: readonly string[]): string | Readonly<Record<string, unknown>> {
  const fields = createFields();
  let cause: string | null = null;
  for (const line of lines) {
    // With other bytes around it, as a line is in its batch.
    const bytes = Buffer.from(`"}\n${line}\n"} 200 "x" 1`);
    clearFields(fields);
    cause = format.parse(bytes, 3, 3 + Buffer.byteLength(line), fields);
  }
  if (cause !== null) return cause;
  const text = (name: string, { bytes, start, end }: Span) =>
    end > start ? { [name]: decodeText(bytes, start, end) } : {};
  return {
    ...(fields.method !== METHOD.unknown && { method: METHOD_NAMES[fields.method] }),
    ...(fields.status !== -1 && { status: fields.status }),
    ...(fields.size !== -1 && { size: fields.size }),
    ...(fields.method !== METHOD.missing && text('url', fields.url)),
    ...text('host', fields.host),
    ...text('sketch', fields.sketch),
    ...text('time', fields.time),
    ...text('agent', fields.agent),
  };
}
