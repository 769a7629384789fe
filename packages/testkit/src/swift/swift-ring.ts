import { gzipSync } from "node:zlib"

/** 2 to this power partitions: nothing depends on it where there is one device. */
const PART_POWER = 6

/**
 * A ring of one device, `d1` behind `port`, as `swift-ring-builder` writes it (version 1): a header, its JSON, and for each
 * partition the number of its device in two bytes. The builder would take a second of every start for each of three rings.
 */
export function formatSwiftRing(port: number): Buffer {
  const address = { ip: "127.0.0.1", port, replication_ip: "127.0.0.1", replication_port: port }
  const device = { id: 0, device: "d1", region: 1, zone: 1, weight: 1, meta: "", ...address }
  const description = { byteorder: "little", devs: [device], part_shift: 32 - PART_POWER, replica_count: 1, version: 1 }
  const json = Buffer.from(JSON.stringify(description))
  const header = Buffer.alloc(10)
  header.write("R1NG")
  header.writeUInt16BE(1, 4)
  header.writeUInt32BE(json.length, 6)
  return gzipSync(Buffer.concat([header, json, Buffer.alloc(2 * 2 ** PART_POWER)]))
}
