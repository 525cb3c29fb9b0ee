// Players with their names in the first order; the other orders follow from the shape of a name (`names/players.ts`),
// so this list need not be complete.

const ATP = `
Jannik Sinner | Carlos Alcaraz | Alexander Zverev | Novak Djokovic | Taylor Fritz | Ben Shelton | Alex de Minaur | Lorenzo Musetti
Holger Rune | Jack Draper | Andrey Rublev | Daniil Medvedev | Casper Ruud | Tommy Paul | Karen Khachanov | Felix Auger-Aliassime
Frances Tiafoe | Jakub Mensik | Arthur Fils | Ugo Humbert | Francisco Cerundolo | Alejandro Davidovich Fokina | Stefanos Tsitsipas
Jiri Lehecka | Flavio Cobolli | Grigor Dimitrov | Hubert Hurkacz | Tomas Machac | Alexei Popyrin | Denis Shapovalov | Brandon Nakashima
Learner Tien | Gabriel Diallo | Cameron Norrie | Alex Michelsen | Luciano Darderi | Matteo Berrettini | Tallon Griekspoor | Nuno Borges
Sebastian Korda | Giovanni Mpetshi Perricard | Joao Fonseca | Miomir Kecmanovic | Jordan Thompson | Alexandre Muller | Jaume Munar
`;

const WTA = `
Aryna Sabalenka | Iga Swiatek | Coco Gauff | Jessica Pegula | Mirra Andreeva | Madison Keys | Zheng Qinwen | Jasmine Paolini
Elena Rybakina | Amanda Anisimova | Emma Navarro | Karolina Muchova | Paula Badosa | Elina Svitolina | Diana Shnaider | Daria Kasatkina
Belinda Bencic | Clara Tauson | Barbora Krejcikova | Marta Kostyuk | Linda Noskova | Naomi Osaka | Victoria Mboko | Emma Raducanu
Ekaterina Alexandrova | Beatriz Haddad Maia | Liudmila Samsonova | Leylah Fernandez | Maria Sakkari | Ons Jabeur
`;

const MMA = `
Islam Makhachev | Alex Pereira | Ilia Topuria | Merab Dvalishvili | Khamzat Chimaev | Tom Aspinall | Alexandre Pantoja | Alexander Volkanovski
Max Holloway | Sean O'Malley | Dricus Du Plessis | Jack Della Maddalena | Belal Muhammad | Charles Oliveira | Zhang Weili | Valentina Shevchenko
`;

const namesOf = (text: string): string => text.trim().replaceAll(' | ', '\n');

/** By sport key. */
export const PLAYERS: Readonly<Record<string, readonly string[]>> = {
  tennis_atp: [namesOf(ATP)],
  tennis_wta: [namesOf(WTA)],
  mma: [namesOf(MMA)],
};
