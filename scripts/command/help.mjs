// Whether a command line asks for help. Help is printed before anything is installed or started.
export const asksForHelp = (args) => args.some((word) => word === '--help' || word === '-h');
