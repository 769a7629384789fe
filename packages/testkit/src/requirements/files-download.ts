import { built, type Requirement } from "./requirement.ts"

/** Bytes on their way out, and where they may lie. */
export const FILES_DOWNLOAD: readonly Requirement[] = [
  ...built("files §4", {
    "files.download.headers": "A download has Accept-Ranges, Content-Length, a strong ETag and Last-Modified.",
    "files.download.content-type": "A download is application/octet-stream with `X-Content-Type-Options: nosniff`.",
    "files.download.if-none-match": "`If-None-Match` with the current ETag is a 304.",
    "files.download.if-range": "`If-Range` with another version answers the whole file.",
    "files.download.range": "A range `a-b`, `a-` or `-n` is a 206 with Content-Range.",
    "files.download.range-end-clamped": "An end past the file is clamped.",
    "files.download.range-past-end":
      "A start past the file is a 416 with `Content-Range: bytes */size` and `Invalid range: …`.",
    "files.download.range-inverted": "An inverted range is a 416.",
    "files.download.range-unreadable": "A malformed `Range: bytes…` is a 416.",
    "files.download.pieces": "Files are read in pieces of `read_chunk_size`, with back-pressure.",
    "files.download.broken-off":
      "A failure after the first byte ends the connection, so that a short body is never taken for a whole one.",
    "storage.default.local": "The default storage is `local`, under the data folder.",
    "files.download.damage":
      "A whole read whose bytes differ from the digest of what was written is a 502 `content_damaged` or ends the connection, and the old digest is no longer claimed.",
    "storage.local.root-workspaces": "A root that names workspaces is for these alone.",
    "storage.local.apart":
      "A fileset's folder neither lies in the folder of another workspace's fileset nor holds one.",
    "storage.local.roots": "Nobody may name a `local` path of their own unless the operator lists allowed roots.",
  }),
  ...built("details: Bytes", {
    "files.download.several-ranges": "Several ranges are ignored: 200.",
    "files.download.other-unit": "A range in another unit than bytes is ignored: 200.",
    "files.download.empty-suffix": "`-0` is a 416.",
    "files.download.range-of-empty-file": "Any range of an empty file is a 416.",
  }),
  ...built("files §4", {
    "cache.damage":
      "A damaged copy in the read cache is never served whole: it is dropped, and the file comes from its backend.",
    "files.download.upstream-status":
      "An upstream that fails before the first byte gives a status, not a broken stream.",
    "storage.default.objstore": "The default storage can be any `objstore`, so that several servers share it.",
    "storage.objstore.sdk-auth": "`use_sdk_auth` is for the server's own default storage only.",
    "hosts.external": "External hosts are the public catalog and hub and the operator's list.",
    "hosts.private": "Private, loopback and link-local addresses are refused unless listed.",
    "hosts.dialled": "The check is made on the address that is really dialled.",
    "hosts.rule-port": "A rule with a port or scheme holds for the address, port and scheme that are dialled.",
  }),
  ...built("details: Statuses", {
    "storage.objstore.both-secrets": "One of the two objstore secrets missing is a 422 at `body.storage`.",
  }),
  ...built("details: Hosts", {
    "hosts.list":
      "The operator's list takes host, host:port, *.suffix, scheme://host:port and CIDR, and adds to the public ones.",
    "hosts.link-local": "Link-local addresses are refused unless listed.",
    "hosts.network-names": "A name that no rule lists leads only into the networks on the list.",
    "hosts.metadata": "Addresses of cloud metadata services are refused unless a rule names that address alone.",
    "storage.external.probed":
      "Creating a `hub` or `catalog` fileset reads the listing and one byte of the first file.",
  }),
  ...built("details: Hosts", {
    "hosts.inference":
      "Inference endpoints are free on loopback without auth, else public addresses and the operator's list.",
  }),
  ...built("details: Further answers", {
    "storage.upstream-statuses": "Upstream 401 and 403 become 502 with a code, 404 stays 404, 5xx becomes 502.",
    "storage.external.deadline":
      "A backend that takes requests and stays silent is a 504 with a code within 45 s, retries included.",
    "storage.tls-reasons":
      "A backend that speaks only TLS before 1.2, and one that resets the TLS handshake, are named as such.",
    "urls.no-user":
      "An address with a user name or a password is refused wherever one is taken, and never stored, followed or shown.",
    "storage.objstore.anonymous": "No objstore secrets means anonymous access.",
  }),
]
