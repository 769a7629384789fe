// Has openapi-typescript bring its own compiler: it uses it as a library, which TypeScript 7 is not.
module.exports = {
  hooks: {
    readPackage(manifest) {
      if (manifest.name !== "openapi-typescript") return manifest
      const { typescript: _peer, ...peerDependencies } = manifest.peerDependencies
      return { ...manifest, peerDependencies, dependencies: { ...manifest.dependencies, typescript: "5.9.3" } }
    },
  },
}
