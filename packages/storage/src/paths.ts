// Entry of `@assay/storage/paths`: paths and single files, for programs that must start quickly and open no storage.
export {
  compareCodePoints,
  folderOf,
  isFilePath,
  nameOf,
  parseFilePath,
  parseNewFilePath,
  quotePath,
  type FilePath,
} from "./file-path.ts"
export { forEachParallel } from "./for-each-parallel.ts"
export { STORAGE_CAPABILITIES } from "./storage.ts"
export { openRegularFile, openRegularFileSync, readRegularFile } from "./regular-file.ts"
export { localFailure } from "./folder/local-failure.ts"
export { checkNoLfsPointer, readLocalText } from "./folder/read-local-text.ts"
export { systemCode } from "./local/errors.ts"
export { lfsPointerFault, MAX_LFS_POINTER_BYTES, parseLfsPointer, type LfsPointer } from "./lfs-pointer.ts"
export { diskFailure } from "./disk-failure.ts"
