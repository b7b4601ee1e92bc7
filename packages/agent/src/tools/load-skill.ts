import { keepHead } from '@palimpsest/terminal';
import { z } from 'zod';
import { readSkillText, type Skill } from '../world/skills.ts';
import { failure, type Tool, tool } from './tool.ts';

const describeSkills = (skills: readonly Skill[]): string =>
  skills.map(({ name, description }) => `${name}: ${keepHead(description, 200)}`).join('; ');

/** The list stands in the description, which is sent with every request: a compaction cannot hide it. */
export const loadSkillTool = (skills: readonly Skill[], used: (skill: Skill) => void): Tool =>
  tool({
    name: 'load_skill',
    description: `Loads the instructions of a skill. ${skills.length === 0 ? 'There are none here.' : `There are: ${describeSkills(skills)}.`}`,
    input: z.object({ name: z.string().min(1) }),
    async run({ name }) {
      const skill = skills.find((one) => one.name.toLowerCase() === name.toLowerCase());
      if (skill === undefined) {
        const names = skills.map((one) => one.name).join(', ');
        return failure(
          `There is no skill "${name}"${names === '' ? ' and no skills folder' : `; there are ${names}`}.`,
        );
      }
      const text = await readSkillText(skill);
      used(skill);
      return { text: `Skill ${skill.name}\n${text}` };
    },
  });
