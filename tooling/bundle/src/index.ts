export { type BundledLibrary, bundleLibrary, type LibraryOptions } from "./bundle-library.ts"
