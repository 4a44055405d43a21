import { Fn, type Stack } from 'aws-cdk-lib';

/** Another one for each creation of a stack, unlike its name, and unique over all accounts and regions. */
export const stackUuid = ({ stackId }: Stack): string => Fn.select(2, Fn.split('/', stackId));
