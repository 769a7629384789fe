import { promisify } from "node:util";
import { crc32, inflateRaw, zstdDecompress } from "node:zlib";
import { printable } from "@assay/schemas";
import { AssayError } from "@assay/schemas/errors";
/** Largest entry after decompression, in bytes. */
const MAX_ENTRY_BYTES = 128 * 1024 * 1024;
const MAX_ENTRIES = 200000;
const MAX_DIRECTORY_BYTES = 64 * 1024 * 1024;
/** Entries above this size may be compressed by at most the ratio below. */
const SMALL_BYTES = 1024 * 1024;
const MAX_RATIO = 300;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65535;
const SIGNATURES = { end: 101010256, entry: 33639248, local: 67324752 };
const STORED = 0;
const DEFLATED = 8;
const ZSTD = 93;
/**
 * Lists the files of a zip archive from its directory. Nothing is decompressed.
 * @throws `bad_document` for an archive that is damaged, encrypted, larger than the limits, or has names outside of it
 */
export async function listZip(file, name) {
    const { size } = await file.stat();
    const tail = await readBytes(file, Math.max(0, size - END_BYTES - MAX_COMMENT_BYTES), Math.min(size, END_BYTES + MAX_COMMENT_BYTES));
    const at = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
    if (at === -1 || at + END_BYTES > tail.length)
        throw broken(name, "has no directory; it is not a zip archive, or it was cut");
    const count = tail.readUInt16LE(at + 10);
    const bytes = tail.readUInt32LE(at + 12);
    const start = tail.readUInt32LE(at + 16);
    if (count === 65535 || start === 4294967295)
        throw broken(name, "has more than 65,534 files or 4 GiB, which is not supported");
    if (count > MAX_ENTRIES || bytes > MAX_DIRECTORY_BYTES || start + bytes > size)
        throw broken(name, "has a directory that does not fit into the file");
    const entries = readDirectory(await readBytes(file, start, bytes), count, name);
    const total = entries.reduce((sum, { compressedSize }) => sum + compressedSize, 0);
    if (total > size)
        throw broken(name, "has files that overlap");
    return entries;
}
function readDirectory(directory, count, name) {
    const entries = [];
    let at = 0;
    for (let number = 0; number < count; number += 1) {
        if (at + 46 > directory.length || directory.readUInt32LE(at) !== SIGNATURES.entry)
            throw broken(name, "has a damaged directory");
        const nameBytes = directory.readUInt16LE(at + 28);
        const entry = {
            method: directory.readUInt16LE(at + 10),
            crc: directory.readUInt32LE(at + 16),
            compressedSize: directory.readUInt32LE(at + 20),
            size: directory.readUInt32LE(at + 24),
            offset: directory.readUInt32LE(at + 42),
            name: directory.toString("utf8", at + 46, at + 46 + nameBytes),
        };
        checkEntry(entry, directory.readUInt16LE(at + 8), name);
        entries.push(entry);
        at += 46 + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
    }
    return entries;
}
function checkEntry({ name, size, compressedSize, method }, flags, archive) {
    const shown = printable(name.slice(0, 100));
    const isOutside = name.startsWith("/") || name.includes("\\") || name.includes("\0") || name.split("/").includes("..");
    if (isOutside)
        throw broken(archive, `contains '${shown}', which is not a path inside of it`);
    if ((flags & 1) !== 0)
        throw broken(archive, `contains '${shown}', which is encrypted`);
    if (![STORED, DEFLATED, ZSTD].includes(method))
        throw broken(archive, `contains '${shown}', which is compressed by a method (${method}) that is not supported`);
    if (size > MAX_ENTRY_BYTES)
        throw broken(archive, `contains '${shown}' of ${size} bytes; the limit is ${MAX_ENTRY_BYTES}`);
    if (size > SMALL_BYTES && size > compressedSize * MAX_RATIO) {
        throw broken(archive, `contains '${shown}', which is compressed more than ${MAX_RATIO} times, as no log is`);
    }
}
const inflate = promisify(inflateRaw);
const unzstd = promisify(zstdDecompress);
/** Reads a file of an archive whole. @throws `bad_document` if it is damaged, or larger than the directory says */
export async function readZipEntry(file, entry, archive) {
    const shown = `contains '${printable(entry.name.slice(0, 100))}', which is damaged`;
    const head = await readBytes(file, entry.offset, 30);
    if (head.length < 30 || head.readUInt32LE(0) !== SIGNATURES.local)
        throw broken(archive, shown);
    const start = entry.offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
    const packed = await readBytes(file, start, entry.compressedSize);
    const bytes = await unpack(packed, entry).catch((cause) => {
        throw broken(archive, shown, cause);
    });
    if (bytes.length !== entry.size || crc32(bytes) !== entry.crc)
        throw broken(archive, shown);
    return bytes;
}
async function unpack(packed, { method, size }) {
    if (method === STORED)
        return packed;
    const limit = { maxOutputLength: Math.max(1, size) };
    return method === DEFLATED ? inflate(packed, limit) : unzstd(packed, limit);
}
async function readBytes(file, position, length) {
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await file.read(buffer, 0, length, position);
    return buffer.subarray(0, bytesRead);
}
function broken(name, fault, cause) {
    return new AssayError("bad_document", `${name} ${fault}.`, { cause });
}
