// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {TipJar} from "./TipJar.sol";

/// @title The maker of tip jars
/// @notice Every jar is a clone of ERC-1167: 45 bytes of code that run the original's. An owner may have many jars, told
/// apart by a label.
contract JarFactory {
    event JarMade(address indexed jar, address indexed owner, bytes32 label);

    /// @notice The caller has a jar with this label already.
    error JarExists(bytes32 label);

    /// @notice The jar that all others are clones of.
    TipJar public immutable original = new TipJar();

    /// @notice How many jars were made.
    uint256 public jars;

    /// @notice Makes a jar for the caller and puts the value sent along in it as a first tip.
    function make(bytes32 label) external payable returns (TipJar jar) {
        jar = TipJar(payable(_clone(keccak256(abi.encode(msg.sender, label)))));
        if (address(jar) == address(0)) revert JarExists(label);
        jars++;
        emit JarMade(address(jar), msg.sender, label);
        jar.initialize(msg.sender);
        if (msg.value == 0) return jar;
        (bool sent,) = address(jar).call{value: msg.value}("");
        require(sent, "jar refused the tip");
    }

    /// @notice Where the jar of an owner with a label is, or would be.
    function jarOf(address owner, bytes32 label) external view returns (address) {
        bytes32 salt = keccak256(abi.encode(owner, label));
        bytes32 digest = keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, keccak256(_cloneCode())));
        return address(uint160(uint256(digest)));
    }

    function _clone(bytes32 salt) private returns (address clone) {
        bytes memory code = _cloneCode();
        assembly ("memory-safe") {
            clone := create2(0, add(code, 32), mload(code), salt)
        }
    }

    /// @dev Ten bytes that return the rest, which is the clone as the standard spells it.
    function _cloneCode() private view returns (bytes memory) {
        return abi.encodePacked(
            hex"3d602d80600a3d3981f3363d3d373d3d3d363d73", address(original), hex"5af43d82803e903d91602b57fd5bf3"
        );
    }
}
