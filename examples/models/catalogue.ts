/** Every example model by name: how it is built, and whether the file is small enough to live in the repository. */
import { autoencoder } from './autoencoder.ts';
import { branchy } from './branchy.ts';
import { keywordSpotter, keywordSpotterInt8 } from './keyword-spotter.ts';
import { mobileNetV1, mobileNetV1Int8 } from './mobilenet-v1.ts';
import { mobileNetV3Large } from './mobilenet-v3.ts';
import { resNet8 } from './resnet8.ts';
import { resNet50 } from './resnet50.ts';
import type { ModelWriter, WriterOptions } from './writer.ts';
import { yolo } from './yolo.ts';

export interface Architecture {
  readonly name: string;
  readonly about: string;
  readonly build: (options?: WriterOptions) => ModelWriter;
}

/** A model with a folder of its own under examples/, named like the model, and generated C in it. */
export interface Example extends Architecture {
  /** False: the file is too large to keep; it is built on demand and ignored by git. */
  readonly committed: boolean;
  /** The chip its C is generated for. */
  readonly target: string;
}

/** Between them they go to a core without FPU, with DSP, with caches and with Helium. */
export const EXAMPLES: readonly Example[] = [
  {
    name: 'kws',
    about: 'keyword spotter (DS-CNN), float32',
    build: keywordSpotter,
    committed: true,
    target: 'nrf52840',
  },
  {
    name: 'kws-int8',
    about: 'keyword spotter (DS-CNN), int8',
    build: keywordSpotterInt8,
    committed: true,
    target: 'stm32f411re',
  },
  {
    name: 'resnet8',
    about: 'ResNet-8 for CIFAR-10, float32',
    build: resNet8,
    committed: false,
    target: 'stm32h743zi',
  },
  {
    name: 'autoencoder',
    about: 'fully connected autoencoder for sounds of machines, float32',
    build: autoencoder,
    committed: false,
    target: 'rp2040',
  },
  {
    name: 'mobilenet-v1',
    about: 'MobileNetV1 0.25 at 224x224, float32',
    build: mobileNetV1,
    committed: false,
    target: 'apollo510',
  },
  {
    name: 'mobilenet-v1-int8',
    about: 'MobileNetV1 0.25 at 224x224, int8',
    build: mobileNetV1Int8,
    committed: false,
    target: 'stm32h743zi',
  },
];

/** Architectures for benchmarks and pages; nothing of them is kept. */
export const ARCHITECTURES: readonly Architecture[] = [
  { name: 'branchy', about: 'Inception-like cells with residuals', build: branchy },
  { name: 'resnet50', about: 'ResNet-50 at 224x224', build: resNet50 },
  {
    name: 'mobilenet-v3-large',
    about: 'MobileNetV3-Large at 224x224',
    build: mobileNetV3Large,
  },
  { name: 'yolo-s', about: 'a detector shaped like YOLOv5s at 640x640', build: yolo },
];
