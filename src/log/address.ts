// Is a name the address of a file that is not on this machine, but in a lake? Spark reads these (spark-driver/driver.py).
import { printable } from '../base/bytes.js';
import { UserError } from '../base/error.js';

/** The schemes of file systems that Hadoop has, or that clouds add to it; `file` for files of this machine. */
const SCHEMES = 'file|s3|s3n|s3a|hdfs|webhdfs|viewfs|har|gs|abfs|abfss|wasb|wasbs|adl|oss|cosn|obs|dbfs|ofs|o3fs';
const ADDRESS = new RegExp(`^(?:${SCHEMES})://`, 'i');

export function isAddress(name: string): boolean {
  return ADDRESS.test(name);
}

/** Throws a UserError for a name that only Spark can read. */
export function refuseAddress(name: string): void {
  if (!isAddress(name)) return;
  throw new UserError(
    `${printable(name)}: is an address, and this run reads files of this machine; expected mine or canonize with ` +
      `--engine spark, which reads it through Spark${hadoopName(name)}, or a copy of the file here`,
  );
}

/** Throws a UserError for addresses that Spark does not read as they are, and for files beside addresses. */
export function addressesOf(names: readonly string[]): readonly string[] {
  const addresses = names.filter(isAddress);
  const old = addresses.find((name) => hadoopName(name) !== '');
  if (old !== undefined) throw new UserError(`${printable(old)}: expected it${hadoopName(old)}, which Spark reads`);
  const file = addresses.length > 0 && names.find((name) => !isAddress(name));
  if (file === false || file === undefined) return addresses;
  throw new UserError(
    `--engine spark: got the file ${printable(file)} beside addresses; expected addresses only, such as file:///data/log`,
  );
}

function hadoopName(name: string): string {
  return /^s3n?:/i.test(name) ? ' as s3a://…' : '';
}
