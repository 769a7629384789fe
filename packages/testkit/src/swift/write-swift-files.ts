import { chown, mkdir, mkdtemp, writeFile } from "node:fs/promises"
import { userInfo } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { freePorts } from "../programs/free-ports.ts"
import { SWIFT_SERVICES, type SwiftService } from "./find-swift.ts"
import { formatSwiftConfiguration } from "./swift-configuration.ts"

export interface SwiftFiles {
  /** The parent folder of everything. */
  readonly folder: string
  /** One server of each kind. Its folder contains its configuration and its data. */
  readonly servers: readonly {
    readonly service: SwiftService
    readonly folder: string
    readonly configuration: string
    readonly port: number
  }[]
}

/** Creates a folder in `dir` with the files that the four servers need, owned by `uid`. */
export async function writeSwiftFiles(dir: string, uid: number | undefined): Promise<SwiftFiles> {
  const folder = await mkdtemp(join(dir, "swift-"))
  const user = uid === undefined ? userInfo().username : "nobody"
  const ports = await freePorts(SWIFT_SERVICES.length)
  const servers = SWIFT_SERVICES.map((service, index) => {
    const own = join(folder, "servers", service)
    return { service, folder: own, configuration: join(own, "server.conf"), port: ports[index] ?? 0 }
  })
  const folders = [folder, join(folder, "servers")]
  for (const { service, folder: own, configuration, port } of servers) {
    folders.push(own, join(own, "d1"))
    await mkdir(join(own, "d1"), { recursive: true })
    await writeFile(configuration, formatSwiftConfiguration(service, { folder, devices: own, port, user }))
    if (service !== "proxy") await writeFile(join(folder, `${service}.ring.gz`), formatSwiftRing(port))
  }
  if (uid !== undefined) for (const made of folders) await chown(made, uid, uid)
  return { folder, servers }
}

/** Power of two of the number of partitions. It does not matter with one device. */
const PART_POWER = 6

/**
 * Returns a ring of one device, `d1` behind `port`, as `swift-ring-builder` writes it (version 1): a header, its JSON, and for each
 * partition the number of its device in two bytes. The builder would take a second for each of the three rings at every start.
 */
function formatSwiftRing(port: number): Buffer {
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
