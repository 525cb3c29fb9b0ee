// Loads a package whose own names are those of globals (`class Set`): in the sandbox, globals are parameters of each
// file (`sandboxInjectedGlobals`), and a file declares no name twice.
export default {
  process: (source) => ({ code: `(() => {${source}\n})();` }),
};
