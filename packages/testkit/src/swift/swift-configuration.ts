import type { SwiftService } from "./find-swift.ts"

export interface SwiftLocation {
  /** Folder of the rings. */
  readonly folder: string
  /** Folder of the devices of this service. */
  readonly devices: string
  readonly port: number
  /** The user that runs it. */
  readonly user: string
}

export const SWIFT_REGION = "us-east-1"
export const SWIFT_ACCESS_KEY_ID = "test:tester"
export const SWIFT_SECRET_ACCESS_KEY = "testing"

/** Returns the configuration of one of the four Swift servers: one process, with long time-outs for busy machines. */
export function formatSwiftConfiguration(service: SwiftService, location: SwiftLocation): string {
  const { folder, devices, port, user } = location
  const shared = `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${user}
swift_dir = ${folder}
devices = ${devices}
mount_check = false
disable_fallocate = true
log_level = ERROR
client_timeout = 60
node_timeout = 60
conn_timeout = 5
`
  if (service === "proxy") return shared + PROXY
  return `${shared}
[pipeline:main]
pipeline = ${service}-server
[app:${service}-server]
use = egg:swift#${service}
`
}

/** The cache does not exist. Authentication works without it, and servers of several tests share nothing. */
const PROXY = `
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth copy slo dlo versioned_writes symlink proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
location = ${SWIFT_REGION}
[filter:tempauth]
use = egg:swift#tempauth
user_${SWIFT_ACCESS_KEY_ID.replace(":", "_")} = ${SWIFT_SECRET_ACCESS_KEY} .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
minimum_segment_size = 1
rate_limit_under_size = 0
[filter:dlo]
use = egg:swift#dlo
[filter:versioned_writes]
use = egg:swift#versioned_writes
allow_object_versioning = true
[filter:symlink]
use = egg:swift#symlink
`
