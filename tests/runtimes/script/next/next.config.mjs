// The packages are in a folder of the tests, to which a link leads.
export default { turbopack: { root: '/' }, outputFileTracingRoot: '/' };
