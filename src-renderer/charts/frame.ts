/** The area of a chart (px): its size and the room around it for labels. */
export interface Frame {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}
