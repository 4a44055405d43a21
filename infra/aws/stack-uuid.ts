import { Fn, type Stack } from 'aws-cdk-lib';

/** Unique per creation of a stack, unlike its name, over all accounts and regions. */
export const stackUuid = ({ stackId }: Stack): string => Fn.select(2, Fn.split('/', stackId));
