import { chown, mkdir, mkdtemp, writeFile } from "node:fs/promises"
import { userInfo } from "node:os"
import { join } from "node:path"
import { SWIFT_SERVICES, type SwiftService } from "./find-swift.ts"
import { freePorts } from "./free-ports.ts"
import { formatSwiftConfiguration } from "./swift-configuration.ts"
import { formatSwiftRing } from "./swift-ring.ts"

export interface SwiftFiles {
  /** Holds everything. */
  readonly folder: string
  /** One of each; its folder holds its configuration and its data. */
  readonly servers: readonly {
    readonly service: SwiftService
    readonly folder: string
    readonly configuration: string
    readonly port: number
  }[]
}

/** Makes a folder in `dir` with all that four servers need to find each other and to keep their data, owned by `uid`. */
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
