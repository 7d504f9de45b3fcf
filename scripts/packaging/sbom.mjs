/**
 * @typedef {object} Component of CycloneDX
 * @property {string} [bom-ref]
 * @property {string} name
 * @property {string} [version]
 * @property {{ name: string, value: string }[]} [properties]
 * @property {{ type: string, url: string }[]} [externalReferences]
 */
/**
 * @typedef {object} Sbom a CycloneDX document
 * @property {string} bomFormat
 * @property {{ component: Component & { type: string } }} metadata
 * @property {Component[]} components
 * @property {{ ref: string, dependsOn: string[] }[]} dependencies
 */

/**
 * Returns the list of everything in an installer (SBOM), cut out of npm's list of everything that is installed.
 * @param {Sbom} installed of `npm sbom --sbom-format cyclonedx`
 * @param {readonly string[]} contained the packages in an installer, each as name@version
 * @param {{ name: string, version: string }} product
 * @returns {Sbom}
 */
export function sbomOf(installed, contained, product) {
  const wanted = new Set(contained);
  const found = installed.components.filter(({ name, version }) => wanted.delete(`${name}@${version}`));
  if (wanted.size > 0) throw new Error(`npm's list does not have ${[...wanted].join(', ')}.`);
  const components = found.map(asContained);
  const root = { ...asContained(installed.metadata.component), type: 'application', ...product };
  const refs = new Set([root, ...components].map((each) => each['bom-ref']));
  const dependencies = installed.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  return { ...installed, metadata: { ...installed.metadata, component: root }, components, dependencies };
}

/**
 * Removes facts from a component that are only true where it was installed: the address it came from (the hash
 * identifies it), its path, and that it is a development dependency, as all bundled packages are.
 * @template {Component} T
 * @param {T} component
 * @returns {T}
 */
function asContained(component) {
  const { externalReferences = [], properties = [] } = component;
  return {
    ...component,
    externalReferences: externalReferences.filter(({ type }) => type !== 'distribution'),
    properties: properties.filter(({ name }) => !/^cdx:npm:package:(path|development)$/.test(name)),
  };
}
