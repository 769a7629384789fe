import { rules, type Requirement } from "./requirement.ts"

/** Filesets for unmodified S3 clients. */
export const FILES_S3: readonly Requirement[] = rules("files.md#s3", {
  "s3.buckets":
    "Each fileset is the bucket workspace.fileset, which the S3 endpoint lists, finds, creates, and deletes if it has no files.",
  "s3.list":
    "Objects are listed in code-point order by any prefix and delimiter, in pages, in both versions of the operation.",
  "s3.read": "Objects are read whole or by a range, under conditions, with an ETag that no client takes for an MD5.",
  "s3.write": "Objects are written whole, under conditions, and every door reads them.",
  "s3.folders":
    "An empty object whose key ends with a slash, which some clients write for a folder, is accepted and not kept. Reading it is a 404, deleting it does nothing.",
  "s3.checksums":
    "Content-MD5 and checksums by CRC32, CRC32C, CRC64NVME, SHA-1 and SHA-256, in headers or behind the body, must fit.",
  "s3.chunks":
    "Bodies in signed chunks are verified chunk by chunk. If one is wrong, or bytes are missing or too many, nothing is stored.",
  "s3.multipart": "Uploads in parts take parts in any order, are listed, completed once, and aborted.",
  "s3.copy": "Objects and ranges of them are copied with the rights of the sender in both workspaces.",
  "s3.delete": "Objects are deleted, one or up to 1,000 at a time. A missing object counts as deleted.",
  "s3.presigned": "Presigned URLs allow one request until they expire, and are not logged.",
  "s3.errors": "Errors are XML with the codes of S3 and a true status.",
  "s3.not-implemented": "Parameters and headers that ask for something that would not be done are refused by name.",
  "s3.access-key":
    "An access key has the rights of its token on every operation, and ends when the token is revoked or expires. No secret is stored.",
  "s3.signature": "Requests without a valid signature, of another time, or with unsigned x-amz- headers are refused.",
  "s3.hostile": "Hostile documents, paths, headers and slow or false bodies are refused and store nothing.",
  "s3.enforce":
    "Rows are checked, read-only filesets refuse writes, sizes are limited and writes are audited as at every other door.",
  "s3.clients": "The SDK of AWS, its command line, rclone and s3cmd write, list, read and delete files.",
})
