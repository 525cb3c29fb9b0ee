// Reads from a package's name which platform it is made for (`@swc/core-linux-x64-gnu`), as npm writes it in a lock file.
import { Problem } from '../problem.mjs';

const os = ['linux', 'darwin', 'win32', 'android', 'freebsd', 'openbsd', 'netbsd', 'sunos', 'aix', 'openharmony'];
const cpu = ['x64', 'arm64', 'arm', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64', 'mips64el', 'wasm32'];
const libc = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' };

export function platformOf(name) {
  const words = name.split(/[-/]/);
  const found = { os: os.filter((word) => words.includes(word)), cpu: cpu.filter((word) => words.includes(word)) };
  if (found.os.length !== 1 || found.cpu.length !== 1)
    throw new Problem(`${name} does not say which platform it is for.`);
  const kind = words.map((word) => libc[word]).find(Boolean);
  return found.os[0] === 'linux' && kind ? { ...found, libc: [kind] } : found;
}
