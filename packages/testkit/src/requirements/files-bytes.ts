import { built, type Requirement } from "./requirement.ts"

/** Paths of files, and bytes on their way in. */
export const FILES_BYTES: readonly Requirement[] = [
  ...built("files §4", {
    "files.path.slashes": "Slashes of a path arrive literal or as %2F.",
    "files.path.unicode": "A path may hold any Unicode.",
    "files.path.length": "A path has at most 1024 bytes of UTF-8.",
    "files.path.segment-length": "A segment has at most 255 bytes.",
    "files.path.empty-segments": "Empty segments are refused with 400.",
    "files.path.dot-segments": "`.` and `..` are refused with 400.",
    "files.path.leading-slash": "A leading slash is refused with 400.",
    "files.path.control-characters": "Control characters (C0, DEL, C1) are refused with 400.",
    "files.path.backslash": "A backslash is refused with 400.",
    "files.path.symbolic-links": "A symbolic link never leads out of the root.",
    "files.path.bidirectional-controls":
      "The controls of bidirectional text (U+202A–U+202E, U+2066–U+2069) are refused with 400.",
    "files.open.regular-only": "A pipe, socket or device is never opened as a file, and nothing waits for one.",
    "files.upload.bounded-memory": "An upload holds memory flat, whatever its size.",
    "files.upload.write-buffer": "Bytes reach the disk in pieces of `write_buffer_size`.",
    "files.upload.whole": "A reader sees the old file or the new one, whole, also after a crash.",
    "files.upload.durable":
      "An answered upload was written beside its place, fsynced and renamed, and its folder fsynced.",
    "files.upload.etag": "An upload answers with a strong etag that comes from the content.",
    "files.upload.sha256": "An upload answers with the sha256 of the bytes.",
    "files.upload.create-only": "`If-None-Match: *` on a file that is there is a 412.",
    "files.upload.if-match": "`If-Match` with another version's ETag is a 412.",
    "files.upload.checksum-mismatch": "A digest that does not match the bytes is a 400, and nothing changed.",
    "files.upload.idle-timeout": "An upload silent for 10 s is a 408 that names the path.",
    "files.upload.idle-no-trace": "An upload that went silent leaves no trace.",
    "files.upload.disk-full": "A full disk is a 507 and leaves no trace.",
    "files.upload.empty-file": "An empty file is a file.",
    "tus.creation": "POST on uploads creates a resumable upload (tus 1.0 creation).",
    "tus.offset": "HEAD tells the offset; PATCH goes on from there and refuses another offset.",
    "tus.checksum": "A piece with a wrong checksum is dropped with 460 (tus checksum).",
    "tus.expiration": "An unfinished upload expires at a time that is told (tus expiration).",
    "tus.disk-full": "A resumable upload that finds no room for its record is a 507 and leaves nothing.",
    "tus.sweep": "Bytes and records in writing that a crash left without a record are swept.",
    "tus.fileset": "An upload ends in the fileset that it began for, whatever that is called by then.",
    "tus.finish": "The last piece makes the file appear, whole, with its digest.",
  }),
  ...built("details: Bytes", {
    "files.upload.checksum-header": "`x-checksum-sha256` is hex or base64.",
    "files.upload.content-digest": "`Content-Digest` is read as in RFC 9530.",
    "files.path.conflict": "A file where a folder is needed, or the other way round, is a 409.",
    "files.upload.temporary-hidden": "Temporary files are never listed or served.",
    "files.upload.temporary-swept": "Temporary files of a killed process are swept at the next start.",
  }),
  ...built("details: Further answers", {
    "files.upload.malformed-digest": "A malformed `Content-Digest` is a 400.",
    "files.upload.malformed-multipart": "Unreadable multipart is a 400.",
    "files.path.folder": "GET or DELETE of a folder's path is a 404.",
    "tus.metadata": "tus metadata has `path` (base64), and optionally `sha256`.",
  }),
  ...built("files §4", {
    "files.upload.read-only": "A write to `catalog` or `hub` storage is a 405 that says the backend is read-only.",
  }),
  ...built("details: Bytes", {
    "files.upload.unconditional-backend":
      "If-Match or If-None-Match on a backend without conditional writes is a 501 that says so.",
  }),
]
